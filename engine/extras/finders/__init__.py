"""Ways of finding a small ball to compare with: as published, and those of Table 1 of the paper."""
