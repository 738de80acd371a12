"""`trust`: a judge or a measure on trial against people; what it may be used for, and what it is worth."""
