"""Programs that are measured: files in, per-label F1 of two systems out, as one line of JSON."""
