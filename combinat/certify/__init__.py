"""Why you may trust it: certificate, signature, checker."""
