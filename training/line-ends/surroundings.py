"""What is behind a bib and in front of it: photographs, cloth, limbs, hands, straps, other people."""

import functools
import glob
import math
import random as chance

import cv2
import numpy as np

SKIN = [(245, 214, 190), (232, 190, 160), (214, 164, 130), (190, 134, 98), (150, 98, 68), (110, 70, 48), (78, 50, 36)]
PHOTOS = ["/usr/share/backgrounds/**/*", "/usr/share/wallpapers/**/*"]


@functools.cache
def photographs():
    found = []
    names = sorted(n for p in PHOTOS for n in glob.glob(p, recursive=True) if n.lower().endswith((".jpg", ".jpeg", ".png", ".webp")))
    for name in names:
        picture = cv2.imread(name)
        if picture is None or min(picture.shape[:2]) < 300:
            continue
        scale = 700 / min(picture.shape[:2])
        if scale < 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        found.append(picture[:, :, ::-1].copy())
    if not found:
        raise RuntimeError("no photographs: install Debian's packages of wallpapers")
    return found


def noise(height, width, size):
    """Smooth, from -1 to 1, with hills about `size` pixels wide."""
    small = np.random.rand(max(2, int(height / size) + 2), max(2, int(width / size) + 2)).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC) * 2 - 1


def photograph(height, width):
    picture = chance.choice(photographs())
    scale = chance.uniform(0.25, 2)
    h, w = int(min(picture.shape[0], height / scale)), int(min(picture.shape[1], width / scale))
    y, x = chance.randint(0, picture.shape[0] - h), chance.randint(0, picture.shape[1] - w)
    part = cv2.resize(picture[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    if chance.random() < 0.5:
        part = cv2.GaussianBlur(part, (0, 0), chance.uniform(1, 8))
    return part.astype(np.float32)


def any_colour():
    kind = chance.random()
    if kind < 0.3:
        return np.full(3, chance.uniform(10, 50), np.float32) + np.random.uniform(-8, 8, 3)
    if kind < 0.5:
        return np.full(3, chance.uniform(190, 250), np.float32) + np.random.uniform(-8, 8, 3)
    hsv = np.uint8([[[chance.randint(0, 179), chance.randint(60, 255), chance.randint(60, 255)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32)


def cloth(height, width):
    """With folds, and stripes, panels or print at times."""
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = any_colour()
    kind = chance.random()
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    if kind < 0.35:
        angle, other = chance.choice([0, math.pi / 2, chance.uniform(-0.6, 0.6)]), any_colour()
        along = xx * math.cos(angle) + yy * math.sin(angle) + noise(height, width, 90) * 12
        if kind < 0.2:
            period = chance.uniform(12, 120)
            picture[(along % period) < period * chance.uniform(0.15, 0.5)] = other
        else:
            picture[along > chance.uniform(0, width)] = other
    elif kind < 0.45:
        picture = picture * 0.4 + photograph(height, width) * 0.6
    folds = noise(height, width, chance.uniform(15, 60)) + 0.5 * noise(height, width, chance.uniform(6, 20))
    return picture * (1 + chance.uniform(0.03, 0.25) * folds)[:, :, None]


def lay(scene, mask, texture, shadow=0.35, in_focus=False):
    """Over the scene, with soft edges and a shadow below; returns what is covered. At times it is out of focus."""
    near = not in_focus and chance.random() < 0.15
    blur = chance.uniform(1.5, 6) if near else chance.uniform(0.5, 1.4)
    soft = cv2.GaussianBlur(mask, (0, 0), blur)
    texture = cv2.GaussianBlur(texture.astype(np.float32), (0, 0), blur) if near else texture
    if shadow and chance.random() < 0.75:
        dx, dy = chance.randint(-9, 9), chance.randint(0, 9)
        moved = np.roll(np.roll(mask, dx, 1), dy, 0)
        dark = cv2.GaussianBlur(moved, (0, 0), chance.uniform(2, 9)) * chance.uniform(0.1, 0.5)
        scene *= (1 - dark)[:, :, None]
    scene *= (1 - soft)[:, :, None]
    scene += texture * soft[:, :, None]
    return soft > 0.5


def limb(height, width, joints):
    """A tube through the joints (x, y, radius): its mask and how lit its round side is."""
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    mask = np.zeros((height, width), np.float32)
    lit = np.ones((height, width), np.float32)
    from_side = chance.uniform(-0.8, 0.8)
    for (x0, y0, r0), (x1, y1, r1) in zip(joints, joints[1:]):
        dx, dy = x1 - x0, y1 - y0
        long = max(1e-3, dx * dx + dy * dy)
        t = np.clip(((xx - x0) * dx + (yy - y0) * dy) / long, 0, 1)
        r = r0 + (r1 - r0) * t
        away = np.hypot(xx - x0 - t * dx, yy - y0 - t * dy) / r
        side = ((xx - x0) * dy - (yy - y0) * dx) / (math.sqrt(long) * r)
        inside = away < 1
        shade = np.sqrt(np.clip(1 - away * away, 0, 1)) * 0.55 + 0.5 + 0.25 * from_side * side
        lit = np.where(inside, np.where(mask > 0, np.maximum(lit, shade), shade), lit)
        mask[inside] = 1
    return mask, lit


def skin(height, width, lit):
    colour = np.array(chance.choice(SKIN), np.float32) + np.random.uniform(-12, 12, 3)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = colour
    return picture * (lit * (1 + 0.05 * noise(height, width, 12)))[:, :, None]


def arm(height, width, edge, side, unit):
    """Crosses the line so that it covers about from `edge` on towards `side`."""
    r = chance.uniform(0.28, 0.8) * unit
    x, y = edge[0] + side * r, edge[1]
    lean = chance.uniform(-1.1, 1.1)
    long = chance.uniform(2, 5) * unit
    lower = (x + lean * long, y + long, r * chance.uniform(1, 1.4))
    upper = (x - lean * long * chance.uniform(0.2, 1), y - long * chance.uniform(0.3, 1), r * chance.uniform(0.7, 1))
    joints = [lower, (x, y, r), upper]
    mask, lit = limb(height, width, joints)
    texture = cloth(height, width) * lit[:, :, None] if chance.random() < 0.3 else skin(height, width, lit)
    if chance.random() < 0.2:  # a watch
        at = chance.uniform(0.2, 0.8)
        cx, cy = x + (upper[0] - x) * at, y + (upper[1] - y) * at
        yy, xx = np.mgrid[:height, :width]
        band = np.abs((yy - cy) * 1.0 + (xx - cx) * 0.3) < r * 0.45
        texture[band] = any_colour() * 0.5
    if chance.random() < 0.5:
        fist_mask, fist = hand(height, width, (upper[0] - side * r, upper[1]), side, unit)
        texture = np.where(fist_mask[:, :, None] > 0, fist, texture)
        mask = np.maximum(mask, fist_mask)
    return mask, texture


def hand(height, width, edge, side, unit):
    """A fist or spread fingers that reach to `edge`."""
    size = chance.uniform(0.35, 0.95) * unit
    x, y = edge[0] + side * size, edge[1] + chance.uniform(-0.3, 0.4) * unit
    mask, lit = limb(height, width, [(x, y, size), (x + side * 0.4 * size, y + 0.3 * size, size * 0.9)])
    turn = chance.uniform(-0.9, 0.9)
    spread, reach = chance.uniform(0.35, 0.55), chance.uniform(0.5, 1.4)
    for finger in range(4):
        across = (finger - 1.5) * spread * size
        fx = x - side * 0.45 * size - math.sin(turn) * across
        fy = y + math.cos(turn) * across
        tip = (fx - side * reach * size * math.cos(turn) * 0.8, fy - reach * size * math.sin(turn) * 0.6, 0.2 * size)
        more, shade = limb(height, width, [(fx, fy, 0.25 * size), tip])
        lit = np.where(more > 0, shade * 0.95, lit)
        mask = np.maximum(mask, more)
    if chance.random() < 0.2:
        return mask, cloth(height, width) * lit[:, :, None]
    if chance.random() < 0.7:
        forearm, shade = limb(height, width, [(x, y, size * 0.8), (x + side * chance.uniform(-1, 4) * unit, y + chance.uniform(-1, 4) * unit, size)])
        lit = np.where((forearm > 0) & (mask == 0), shade, lit)
        mask = np.maximum(mask, forearm)
    return mask, skin(height, width, lit)


def strap(height, width, edge, side, unit):
    r = chance.uniform(0.08, 0.6) * unit
    lean = chance.uniform(-0.7, 0.7)
    x, y = edge[0] + side * r, edge[1]
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    away = np.abs((xx - x) + (yy - y) * lean) / r
    mask = (away < 1).astype(np.float32)
    return mask, cloth(height, width) * (1 - 0.25 * np.minimum(away, 1) ** 2)[:, :, None]


def other_person(height, width, edge, side, unit):
    """A body from edge to the view's side, its outline a soft curve."""
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    lean, bow = chance.uniform(-0.6, 0.6), chance.uniform(-0.08, 0.08) / unit
    rows = yy - edge[1]
    rim = edge[0] + rows * lean + side * bow * rows * rows + noise(height, width, 2 * unit) * 0.15 * unit
    inside = (xx - rim) * side
    mask = (inside > 0).astype(np.float32)
    texture = cloth(height, width) if chance.random() < 0.65 else photograph(height, width)
    depth = np.clip(inside / (chance.uniform(0.3, 3) * unit), 0, 1)
    return mask, texture * (chance.uniform(0.4, 0.9) + (1 - chance.uniform(0.4, 0.9)) * depth)[:, :, None]


def something(height, width, edge, side, unit):
    """A thing of any shape, out of a photograph."""
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    size = chance.uniform(0.4, 2) * unit
    x, y = edge[0] + side * size, edge[1] + chance.uniform(-0.6, 0.6) * size
    away = np.hypot((xx - x) / size, (yy - y) / (size * chance.uniform(0.6, 2))) + 0.3 * noise(height, width, size)
    return (away < 1).astype(np.float32), photograph(height, width)


def occluder(height, width, edge, side, unit):
    make = chance.choices([arm, hand, strap, other_person, something], [5, 5, 3, 5, 3])[0]
    return make(height, width, edge, side, unit)
