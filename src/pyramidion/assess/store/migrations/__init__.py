"""How databases of earlier versions become databases of this one. A new version is a new module in versions/."""
