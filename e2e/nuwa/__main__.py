"""`python -m e2e.nuwa`, as `npm run nuwa` runs it; an installed package has `nuwa`."""

import sys

from e2e.nuwa.command import main

if __name__ == "__main__":
    sys.exit(main())
