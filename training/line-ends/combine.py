"""Several networks as one, which is as sure as they are on average: combine.py OUT.onnx IN.onnx..."""

import sys

import onnx
from onnx import compose, helper


def logits(path, n):
    """A network up to what its last step, the sigmoid, takes; its names begin with `n`."""
    graph = onnx.load(path).graph
    last = graph.node.pop()
    assert last.op_type == "Sigmoid"
    return compose.add_prefix_graph(graph, f"{n}/"), f"{n}/{last.input[0]}"


def combined(paths):
    """The mean of what speaks for it and against it, as the product takes several views of a place together."""
    whole = onnx.load(paths[0])
    views, hidden = whole.graph.input[0], whole.graph.output[0]
    nodes, weights, said = [], [], []
    for n, path in enumerate(paths):
        graph, logit = logits(path, n)
        nodes += [helper.make_node("Identity", [views.name], [graph.input[0].name]), *graph.node]
        weights += graph.initializer
        said.append(logit)
    nodes += [helper.make_node("Mean", said, ["logit"]), helper.make_node("Sigmoid", ["logit"], [hidden.name])]
    return helper.make_model(helper.make_graph(nodes, "networks", [views], [hidden], weights), opset_imports=whole.opset_import, ir_version=whole.ir_version)


if __name__ == "__main__":
    model = combined(sys.argv[2:])
    onnx.checker.check_model(model)
    onnx.save(model, sys.argv[1])
