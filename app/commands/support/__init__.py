"""What several verbs share: options, data, budget, output, words."""
