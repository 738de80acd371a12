"""Property tests of the text room take the time they need: nothing here is a timed assertion."""

from hypothesis import settings

settings.register_profile("text", deadline=None)
settings.load_profile("text")
