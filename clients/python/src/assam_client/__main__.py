"""`python3 -m assam_client FILE..` verifies proofs."""

import sys

from .verify import main

sys.exit(main(sys.argv[1:]))
