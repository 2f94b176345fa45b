"""Charts: pictures as data, and as SVG."""
