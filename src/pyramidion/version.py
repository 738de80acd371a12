"""The version of the package; it stands in every signature."""

VERSION = "0.2.0"
