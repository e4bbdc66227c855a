"""`python -m models.training`, as `npm run train` runs it."""

import sys

from models.training.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
