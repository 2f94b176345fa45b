"""Rendering of typed tables and blocks as text, Markdown, CSV, LaTeX, HTML, PDF, XLSX and SVG."""
