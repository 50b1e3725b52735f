"""The results of the page about clusters."""


def result(window):
    return window.page.canvas.picture.result
