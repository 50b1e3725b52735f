"""Other libraries: what they release, as mechanisms here, and our mechanisms as parts of them."""
