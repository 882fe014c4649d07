"""`python -m groundwire`."""

import sys

from groundwire.cli import main

sys.exit(main())
