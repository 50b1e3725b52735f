"""The facts and results of the page about clusters."""


def facts(window):
    """Return the facts of each stage that the window shows."""
    return {key: list(texts) for key, texts in window.body.pages["clustering"].facts.items()}


def result(window):
    return window.page.canvas.picture.result
