"""How a flat bib comes to lie on somebody: bent around the body, with pleats, turned, creased."""

import math
import random as chance

import cv2
import numpy as np

from bib import PX
from surroundings import noise

UNIT = 32  # pixels of a digit's height in the scene
BENT = 0.5  # of the bibs have a bend or more: the paper turns away, or comes and goes


class Bends:
    """The paper turns towards the camera's left or right here and there, and is seen narrower where it does."""

    def __init__(self, half):
        self.flat = np.linspace(-1.2 * half, 1.2 * half, 400)
        turn = np.zeros_like(self.flat)
        for _ in range(chance.choice([1, 1, 2, 3]) if chance.random() < BENT else 0):
            at, soft = chance.uniform(-1, 1) * half, chance.uniform(0.05, 0.6) * UNIT
            angle = math.radians(chance.choice([-1, 1]) * chance.uniform(20, 75))
            outwards = 1 if at > 0 else -1
            step = 1 / (1 + np.exp(np.clip((at - self.flat) * outwards / (0.25 * soft), -50, 50)))
            if chance.random() < 0.5:  # a pleat, with paper as before on its other side
                back = at + outwards * chance.uniform(0.4, 1.5) * UNIT
                step = step - 1 / (1 + np.exp(np.clip((back - self.flat) * outwards / (0.25 * soft), -50, 50)))
            turn += angle * step
        turn = np.clip(turn, -1.35, 1.35)
        seen = np.concatenate([[0], np.cumsum(np.cos(turn[1:]) * np.diff(self.flat))])
        self.seen = seen - np.interp(0, self.flat, seen)
        depth = np.concatenate([[0], np.cumsum(np.sin(turn[1:]) * np.diff(self.flat))])
        self.lift = (depth - np.interp(0, self.flat, depth)) * chance.uniform(-0.4, 0.4)  # the camera looks from above, or from below
        self.light = np.clip(1 + chance.uniform(-0.6, 0.6) * np.sin(turn) - chance.uniform(0, 0.3) * (1 - np.cos(turn)), 0.3, 1.4)
        self.lean = chance.uniform(-0.7, 0.7)

    def done(self, along, across):
        return np.interp(along, self.flat, self.seen), across + np.interp(along, self.flat, self.lift)

    def undone(self, along, across):
        """Where on flat paper that is, along the line and across it, and how it is lit."""
        leaning = np.clip(along + self.lean * across, self.seen[0], self.seen[-1])
        flat = np.interp(leaning, self.seen, self.flat)
        return along + flat - leaning, across - np.interp(leaning, self.seen, self.lift), np.interp(leaning, self.seen, self.light)


class Pinned:
    """Where the flat bib's points come to lie: bent around the body, turned, creased."""

    def __init__(self, bib, rolled):
        self.bib = bib
        wide = bib["which"].shape[1]
        self.scale = UNIT / PX
        self.flat = (wide / 2, bib["top"] + PX / 2)
        half = wide / 2 * self.scale
        self.radius = half * (chance.uniform(1.02, 1.6) if rolled else chance.uniform(1.2, 6))
        self.off = chance.choice([-1, 1]) * half * (chance.uniform(0.3, 1) if rolled else chance.uniform(0, 0.15))
        self.angle = math.radians(chance.gauss(0, 3) if chance.random() < 0.8 else chance.uniform(-25, 25))
        self.lean, self.near = chance.gauss(0, 0.05), chance.gauss(0, 0.0006)
        room = 7 * UNIT
        self.width, self.height = int(2 * half + 2 * room), int(6.6 * UNIT)
        self.middle = (self.width / 2, self.height / 2)
        self.half = half
        self.bends = Bends(half)

    def forward(self, x, y):
        along, across = self.bends.done((x - self.flat[0]) * self.scale, (y - self.flat[1]) * self.scale)
        u = self.radius * math.sin(np.clip((along - self.off) / self.radius, -1.57, 1.57))
        v = across * (1 + self.near * u) + self.lean * u
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.middle[0] + u * cos - v * sin, self.middle[1] + u * sin + v * cos

    def warp(self):
        yy, xx = np.mgrid[: self.height, : self.width].astype(np.float32)
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        dx, dy = xx - self.middle[0], yy - self.middle[1]
        u, v = dx * cos + dy * sin, dy * cos - dx * sin
        crease = chance.choice([0.3, 0.6, 1.5, 3])
        size = chance.uniform(0.6, 2) * UNIT
        bumps = noise(self.height, self.width, size)
        u, v = u + crease * bumps, v + crease * noise(self.height, self.width, size)
        inside = np.abs(u) < self.radius
        along, across = self.off + self.radius * np.arcsin(np.clip(u / self.radius, -1, 1)), (v - self.lean * u) / (1 + self.near * u)
        along, across, lit = self.bends.undone(along, across)
        x = self.flat[0] + along / self.scale
        y = self.flat[1] + across / self.scale
        x, y = x.astype(np.float32), y.astype(np.float32)
        bib = self.bib
        picture = cv2.remap(bib["picture"], x, y, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        opaque = cv2.remap(bib["opaque"], x, y, cv2.INTER_LINEAR) * inside
        which, unfolded = (cv2.remap(each, x, y, cv2.INTER_NEAREST) * inside for each in (bib["which"], bib["unfolded"]))
        light = np.sqrt(np.clip(1 - (u / self.radius) ** 2, 0, 1))
        light = 1 - chance.uniform(0, 0.6) * (1 - light) + 0.02 * crease * chance.uniform(0, 3) * cv2.Sobel(bumps, cv2.CV_32F, 1, 0)
        return picture.astype(np.float32) * (light * lit)[:, :, None], opaque.astype(np.float32) / 255, which, unfolded
