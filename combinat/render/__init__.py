"""How a document is drawn: typed tables and blocks to text, Markdown, CSV, LaTeX, HTML, PDF, XLSX, SVG."""
