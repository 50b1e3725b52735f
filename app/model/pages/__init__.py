"""The pages, declared: what each is called, its pictures, and what is computed for them."""
