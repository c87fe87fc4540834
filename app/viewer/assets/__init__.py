"""The files of the page: its markup, style and script. `page` joins them."""
