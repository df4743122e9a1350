"""`python -m chunkwright`: the command line, and nothing else."""

import sys

from chunkwright.cli import main

if __name__ == "__main__":
    sys.exit(main())
