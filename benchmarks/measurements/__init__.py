"""One room a measurement: `add_options(parser)` says what it is told, `lines(options)` gives its
results one by one. Of a line, `uses` names
distributions that took part besides the chunker's, and `versions` says those of other programs.
"""
