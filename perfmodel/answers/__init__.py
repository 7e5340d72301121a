"""Every answer that a command prints, as data: a request, a function, a frozen answer."""
