"""Assessment: the web pages for people. One server, one campaign folder, one database of events."""
