"""Property tests of the drop-ins take the time they need: nothing here is a timed assertion."""

from hypothesis import settings

settings.register_profile("compat", deadline=None)
settings.load_profile("compat")
