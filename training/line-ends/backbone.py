"""The first layers of the text detector, as a module that can be trained on: they know what text in photographs looks like."""

import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional


class Backbone(nn.Module):
    """Runs the nodes of an ONNX graph up to the named outputs; the nodes before `frozen_until` keep their weights."""

    def __init__(self, path, outputs, frozen_until):
        super().__init__()
        graph = onnx.load(path).graph
        values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                values[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
        self.input, self.outputs = graph.input[0].name, outputs
        self.nodes, self.weights = [], nn.ParameterDict()
        makers = {node.output[0]: node for node in graph.node}
        wanted, frozen = set(outputs), False
        for node in reversed(graph.node):
            if node.output[0] == frozen_until:
                frozen = True
            if node.op_type == "Constant" or node.output[0] not in wanted:
                continue
            if node.op_type == "Div":  # only ever the end of x * clip(x + 3, 0, 6) / 6
                source = makers[node.input[0]].input[0]
                wanted.add(source)
                self.nodes.insert(0, ("HardSwish", [source], node.output[0], {}))
                continue
            wanted.update(node.input)
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            self.nodes.insert(0, (node.op_type, list(node.input), node.output[0], attributes))
            for name in node.input:
                if name not in values or self.key(name) in self.weights:
                    continue
                self.weights[self.key(name)] = nn.Parameter(torch.tensor(values[name].copy()), requires_grad=not frozen and values[name].size > 1)

    def key(self, name):
        return name.replace(".", "_")

    def forward(self, picture):
        seen = {self.input: picture}

        def value(name):
            return seen[name] if name in seen else self.weights[self.key(name)]

        for kind, inputs, output, attributes in self.nodes:
            seen[output] = OPERATIONS[kind](attributes, *[value(name) for name in inputs if name])
        return [seen[name] for name in self.outputs]


def convolution(attributes, x, weights, bias=None):
    top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
    if (top, left) != (bottom, right):
        x, top, left = functional.pad(x, (left, right, top, bottom)), 0, 0
    return functional.conv2d(x, weights, bias, attributes.get("strides", 1), (top, left), attributes.get("dilations", 1), attributes.get("group", 1))


OPERATIONS = {
    "Conv": convolution,
    "Add": lambda _, a, b: a + b,
    "Mul": lambda _, a, b: a * b,
    "HardSwish": lambda _, a: functional.hardswish(a),
    "BatchNormalization": lambda at, x, scale, bias, mean, var: functional.batch_norm(x, mean, var, scale, bias, eps=at.get("epsilon", 1e-5)),
}
