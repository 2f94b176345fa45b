"""The library: what ``combinat`` exports, thin over the rooms. It converts what is given, checks it, and calls."""
