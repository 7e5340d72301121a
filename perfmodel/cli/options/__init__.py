"""Types of arguments, and the options that several commands share."""
