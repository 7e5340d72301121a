"""Which deadlines a site can promise the jobs of a log, with which probability."""
