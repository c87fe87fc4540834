"""The page and the API of ``mjconv serve``: every request is answered by a worker process, and nothing is kept."""
