"""In which order waiting jobs are tried."""
