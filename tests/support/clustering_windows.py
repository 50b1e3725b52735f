"""What the page about clusters says."""


def facts(window):
    """Return what each stage says."""
    return {
        key: [fact.text for fact in stage.facts]
        for key, stage in window.body.pages["clustering"].pipeline.stages.items()
    }


def result(window):
    return window.page.canvas.picture.result
