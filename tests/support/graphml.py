"""Texts in GraphML."""

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
WEIGHT = '<key id="d0" for="edge" attr.name="weight" attr.type="double"/>\n'
NODES = '<node id="a"/><node id="b"/><node id="c"/>\n'
EDGES = (
    '<edge source="a" target="b"><data key="d0">1.5</data></edge>\n'
    '<edge source="b" target="c"><data key="d0">2</data></edge>\n'
)


def graph(content, kind="undirected"):
    return f'<graph id="G" edgedefault="{kind}">\n{content}</graph>\n'


def document(*parts, head=HEAD):
    return head + "".join(parts) + "</graphml>\n"


NET = document(WEIGHT, graph(NODES + EDGES))
