"""What several commands share: options, data, budget, output, words."""
