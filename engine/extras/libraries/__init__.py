"""Other libraries: their releases as mechanisms here, and our mechanisms as parts of them."""
