"""Logs that are put together anew from users, days or weeks of a recorded one."""
