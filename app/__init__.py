"""Shows what the engine computes: the window, the pictures and the command line."""

import os

# Before numpy loads.  Matrices are long and narrow here: one thread multiplies them no slower than several,
# each of which spins for 0.1 s of processor time at every start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
