"""A report as a page: templates, style sheets and ES modules, one file per concern."""
