"""Files on disk and files at addresses such as ``s3://bucket/logs.zip``, behind one set of functions."""
