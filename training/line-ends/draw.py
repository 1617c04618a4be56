"""Draws bibs on people, hides some of their characters, and cuts out what a reader's line would show around each end."""

import math
import random as chance

import cv2
import numpy as np

from bib import PX, make_bib
from pinned import UNIT, Pinned
from surroundings import arm, cloth, lay, noise, occluder, other_person, photograph, strap

TAKES = 2
HEIGHT = 28  # of the line in the view, as src/platform/embedded/vision/line-views.ts has it
INSIDE, OUTSIDE, BESIDE = 3.5, 1.5, 1.5
NARROW = 0.3  # of the bibs
ACROSS = 0.16  # of the bibs have something before their middle
ABOVE = 0.15  # have something that comes from above or from below
ROLLED = 0.12  # of the bibs go around a hip or an arm
FOLDED = 0.2  # of what hides an end is the paper itself
ALIKE = 0.15  # of what is before a bib, or behind it, has its colour: a white sleeve, a white bib, a white shirt
BUMP = 0.3  # half the width of a character's mark, in heights
VIEW = (int((INSIDE + OUTSIDE) * HEIGHT), int(2 * BESIDE * HEIGHT))
READABLE, GONE, UNTOUCHED = 0.8, 0.6, 0.93
# A character that goes around the body is as good as flat with so much of its width, as good as gone with less, and in between it is not asked about.
TURNED, TURNED_AWAY = 0.45, 0.2
# Of a character with so much of its ink to be seen, another one may be read; with as much as WHOLE, hardly ever.
MISREAD = (0.12, 0.5)
WHOLE = 0.7


def fold(bib, at, side, forward):
    """The paper from `at` on is folded away, behind or over the front."""
    height, width = bib["which"].shape
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    lean = chance.uniform(-0.3, 0.3)
    beyond = ((xx - at) + (yy - bib["top"] - PX / 2) * lean) * side
    if forward:
        flap = chance.uniform(0.2, 1.2) * PX
        bib["picture"] = bib["picture"].copy()
        back = np.array(bib["paper"], np.float32) if chance.random() < 0.3 else np.full(3, chance.uniform(170, 250))
        shade = chance.uniform(0.7, 1) + 0.25 * np.clip(beyond / flap, 0, 1)
        covered = (beyond > 0) & (beyond < flap)
        bib["picture"][covered] = np.clip(back * shade[:, :, None], 0, 255)[covered].astype(np.uint8)
        bib["which"][beyond > 0] = 0
        bib["opaque"][beyond >= flap] = 0
        return
    dark = 1 - chance.uniform(0, 0.4) * np.exp(-np.abs(beyond) / (0.15 * PX))
    bib["picture"] = (bib["picture"] * dark[:, :, None]).astype(np.uint8)
    bib["which"][beyond > 0] = 0
    bib["opaque"][beyond > 0] = 0


def coloured_as(colour, texture):
    """Its folds and shades stay."""
    return np.clip(texture + (np.array(colour, np.float32) - texture.mean((0, 1))) * chance.uniform(0.7, 1), 0, 255)


def behind(height, width, middle, half, paper):
    """A torso before a background."""
    scene = photograph(height, width)
    if chance.random() < 0.25:
        return cloth(height, width)
    body = cloth(height, width)
    if chance.random() < ALIKE:
        body = coloured_as(paper, body)
    masks = []
    for side in (-1, 1):
        edge = (middle[0] + side * (half + chance.uniform(0.1, 3) * UNIT), middle[1])
        mask, _ = other_person(height, width, edge, side, UNIT)
        masks.append(1 - mask)
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    around = np.clip(1.1 - ((xx - middle[0]) / (half + 3 * UNIT)) ** 2 * chance.uniform(0, 0.8), 0.25, 1.1)
    lay(scene, masks[0] * masks[1], body * around[:, :, None])
    if chance.random() < 0.35:  # trousers below, or a shirt above
        side = chance.choice([-1, 1])
        rim = middle[1] + side * chance.uniform(-0.3, 2.2) * UNIT + noise(height, width, 2 * UNIT) * 0.1 * UNIT
        lay(scene, masks[0] * masks[1] * (((yy - rim) * side) > 0), cloth(height, width))
    for side in (-1, 1):
        if chance.random() < 0.5:
            edge = (middle[0] + side * (half + chance.uniform(0.2, 2.5) * UNIT), middle[1])
            mask, texture = arm(height, width, edge, side, UNIT)
            lay(scene, mask, texture)
    return scene


def draw_scene():
    """The picture, which pixel shows which character, how much of each can be seen, and the way the line goes."""
    # Paper that ends where the number does looks much as if it were cut, and has to be seen often.
    narrow = chance.random() < NARROW
    bib = make_bib(narrow)
    bib["unfolded"] = bib["which"].copy()
    count = len(bib["number"])
    plan = []
    rolled = chance.random() < ROLLED
    hides, comes_near = (0.2, 0.4) if narrow else (0.32, 0.7)
    expected = [int((bib["which"] == n + 1).sum()) for n in range(count)]
    for side in (-1, 1):
        what = chance.random()
        if what < hides and count > 1:  # hides characters
            k = min(count - 1, chance.choices([1, 2, 3, 4], [6, 4, 2, 1])[0])
            n = count - k if side > 0 else k - 1
            a, b = bib["spans"][n]
            into = chance.uniform(-0.1, 0.4) if chance.random() < 0.6 else chance.uniform(0.2, 0.75)
            at = a + into * (b - a) if side > 0 else b - into * (b - a)
        elif what < comes_near:  # near, but hides none, or nearly
            a = bib["spans"][-1][1] if side > 0 else bib["spans"][0][0]
            at = a + side * (chance.uniform(-0.02, 0.25) if chance.random() < 0.4 else chance.uniform(0, 2)) * PX
        else:
            continue
        plan.append((side, at))
    for side, at in list(plan):
        if chance.random() < FOLDED:
            fold(bib, at, side, chance.random() < 0.75)
            plan = [each for each in plan if each[0] != side]
    pinned = Pinned(bib, rolled)
    height, width = pinned.height, pinned.width
    scene = behind(height, width, pinned.middle, pinned.half, bib["paper"])
    picture, opaque, which, unfolded = pinned.warp()
    lay(scene, opaque, picture, 0.2, in_focus=True)
    top = bib["top"] + PX / 2
    for side, at in plan:
        edge = pinned.forward(at, top + chance.uniform(-0.3, 0.3) * PX)
        mask, texture = occluder(height, width, edge, side, UNIT)
        if chance.random() < ALIKE:
            texture = coloured_as(bib["paper"], texture)
        which[lay(scene, mask, texture)] = 0
    if chance.random() < ACROSS and count > 2:  # the middle
        a, b = bib["spans"][chance.randint(1, count - 2)]
        cover = strap if chance.random() < 0.5 else occluder
        into = 0 if chance.random() < 0.5 else chance.uniform(0, 0.6)
        mask, texture = cover(height, width, pinned.forward(a + into * (b - a), top), 1, UNIT * 0.8)
        which[lay(scene, mask, texture)] = 0
    if chance.random() < ABOVE:
        a, b = bib["spans"][chance.randrange(count)]
        side = chance.choice([-1, 1])
        x, y = pinned.forward((a + b) / 2, top + side * chance.uniform(-0.2, 0.6) * PX)
        mask, texture = occluder(width, height, (y, x), side, UNIT)  # what comes from a side, with rows and columns exchanged
        which[lay(scene, mask.T, texture.transpose(1, 0, 2))] = 0
    share = [seen_of(n + 1, which, unfolded, expected[n] * pinned.scale**2) for n in range(count)]
    return scene, which, share, pinned.angle


def seen_of(character, which, unfolded, flat):
    """How much of it can be seen: of what would show if nothing covered it, or of all of it, where the body hides the most."""
    seen, shown = ((each == character).sum() for each in (which, unfolded))
    if shown < TURNED_AWAY * flat:
        return seen / max(1, flat)
    share = seen / max(1, shown)
    return share if shown > TURNED * flat else min(share, (GONE + READABLE) / 2)


def taken(scene):
    """As a camera at some distance takes it: its pixels, and how many of them a pixel of the scene is."""
    scene = np.clip(scene, 0, 255)
    gamma, gain = chance.uniform(0.7, 1.3), chance.uniform(0.6, 1.5)
    scene = 255 * np.clip((scene / 255) ** gamma * gain * np.random.uniform(0.92, 1.08, 3), 0, 1)
    if chance.random() < 0.4:
        scene = cv2.GaussianBlur(scene, (0, 0), chance.uniform(0.5, 2.2))
    if chance.random() < 0.15:
        long = chance.randint(3, 9)
        kernel = np.zeros((long, long), np.float32)
        a = chance.uniform(0, math.pi)
        c = long // 2
        cv2.line(kernel, (int(c - c * math.cos(a)), int(c - c * math.sin(a))), (int(c + c * math.cos(a)), int(c + c * math.sin(a))), 1)
        scene = cv2.filter2D(scene, -1, kernel / kernel.sum())
    scale = math.exp(chance.uniform(math.log(8 / UNIT), math.log(1)))
    small = cv2.resize(scene.astype(np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if chance.random() < 0.5:
        small += np.random.randn(*small.shape) * chance.uniform(1, 14)
    if chance.random() < 0.3:  # sharpened, as cameras do
        small += chance.uniform(0.3, 1.2) * (small - cv2.GaussianBlur(small, (0, 0), 1))
    small = np.clip(small, 0, 255).astype(np.uint8)
    _, jpeg = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, chance.randint(45, 95)])
    return cv2.imdecode(jpeg, cv2.IMREAD_COLOR)[:, :, ::-1], small.shape[1] / scene.shape[1]


def runs(share):
    """Stretches of readable characters, first and last of each."""
    found, start = [], None
    for n, s in enumerate([*share, 0]):
        if s >= READABLE and start is None:
            start = n
        if s < READABLE and start is not None:
            found.append((start, n - 1))
            start = None
    return found


def end_view(picture, scale, end, height, angle, side):
    """Turned as the line is, mirrored so that the line comes from the left and ends at the same place."""
    step = height / HEIGHT * scale
    cos, sin = math.cos(angle) * step, math.sin(angle) * step
    x0, y0 = INSIDE * HEIGHT, BESIDE * HEIGHT
    ax, ay, bx, by = side * cos, side * sin, -sin, cos
    cx, cy = end[0] * scale - ax * x0 - bx * y0, end[1] * scale - ay * x0 - by * y0
    matrix = np.float32([[ax, bx, cx], [ay, by, cy]])
    return cv2.warpAffine(picture, matrix, VIEW, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)


def with_characters(view, middles):
    """A fourth plane tells where characters were read, `middles` in pixels of the view."""
    columns = np.arange(VIEW[0])
    bumps = [np.clip(1 - np.abs(columns + 0.5 - middle) / (BUMP * HEIGHT), 0, 1) for middle in middles]
    plane = np.broadcast_to(np.max(bumps, axis=0) * 255, view.shape[:2])
    return np.dstack([view, plane.astype(np.uint8)])


def misreadable(share):
    return MISREAD[0] < share < MISREAD[1]


def draw_characters(picture, scale, which, share, angle):
    """Views of characters that may have been read, each with 1 where something covers a part of it."""
    read = [n for n, s in enumerate(share) if s >= WHOLE or misreadable(s)]
    turned = angle + math.radians(chance.gauss(0, 2))
    cos, sin = math.cos(turned), math.sin(turned)
    ys, xs = np.nonzero(np.isin(which, [n + 1 for n in read]))
    if len(xs) < 20 or not any(share[n] >= WHOLE for n in read):
        return []
    u, v = xs * cos + ys * sin, ys * cos - xs * sin
    top, bottom = np.percentile(v, [1, 99])
    height = (bottom - top) * chance.uniform(1.15, 1.65)
    centre = (top + bottom) / 2 + chance.gauss(0, 0.05) * height
    parts = {n: u[which[ys, xs] == n + 1] for n in read}
    middles = {n: (part.min() + part.max()) / 2 for n, part in parts.items() if len(part)}
    partly = [n for n in middles if misreadable(share[n])]
    # What is near something that hides is what could be taken for hidden.
    whole = sorted([n for n in middles if share[n] >= WHOLE], key=lambda n: share[n] + chance.uniform(0, 0.1))
    chosen = whole[: chance.choice([0, 1, 1, 2])] + ([chance.choice(whole)] if whole and chance.random() < 0.4 else [])
    samples = []
    for n in partly + sorted(set(chosen)):
        side = chance.choice([-1, 1])
        at = middles[n] + chance.gauss(0, 0.06) * height
        view = end_view(picture, scale, (at * cos - centre * sin, at * sin + centre * cos), height, turned, side)
        along = [INSIDE * HEIGHT + side * (middle - at) / height * HEIGHT + chance.gauss(0, 0.06) * HEIGHT for middle in middles.values()]
        samples.append((with_characters(view, along), int(n in partly)))
    return samples


def draw_gaps(picture, scale, which, share, angle):
    """Views of places between two characters that were read as neighbours, each with 1 where something is hidden there."""
    read = [n for n, s in enumerate(share) if s >= READABLE]
    turned = angle + math.radians(chance.gauss(0, 2))
    cos, sin = math.cos(turned), math.sin(turned)
    ys, xs = np.nonzero(np.isin(which, [n + 1 for n in read]))
    if len(read) < 2 or len(xs) < 40:
        return []
    u, v = xs * cos + ys * sin, ys * cos - xs * sin
    top, bottom = np.percentile(v, [1, 99])
    height = (bottom - top) * chance.uniform(1.15, 1.65)
    centre = (top + bottom) / 2 + chance.gauss(0, 0.05) * height
    parts = {n: u[which[ys, xs] == n + 1] for n in read}
    middles = {n: (part.min() + part.max()) / 2 for n, part in parts.items() if len(part)}
    pairs = [pair for pair in zip(read, read[1:]) if pair[0] in middles and pair[1] in middles]
    hiding = [(n, m) for n, m in pairs if m > n + 1 and max(share[n + 1 : m]) <= GONE]
    plain = [(n, m) for n, m in pairs if m == n + 1]
    # Where neighbours stand farthest apart is where something could be taken for hidden.
    plain.sort(key=lambda pair: middles[pair[0]] - middles[pair[1]])
    samples = []
    for n, m in hiding + plain[: chance.choice([0, 0, 1, 1, 2])]:
        side = chance.choice([-1, 1])
        at = (middles[n] + middles[m]) / 2 + chance.gauss(0, 0.05) * height
        view = end_view(picture, scale, (at * cos - centre * sin, at * sin + centre * cos), height, turned, side)
        along = [INSIDE * HEIGHT + side * (middle - at) / height * HEIGHT + chance.gauss(0, 0.07) * HEIGHT for middle in middles.values()]
        samples.append((with_characters(view, along), int(m > n + 1)))
    return samples


def draw_ends(picture, scale, which, share, angle):
    samples = []
    for first, last in runs(share):
        turned = angle + math.radians(chance.gauss(0, 2))
        cos, sin = math.cos(turned), math.sin(turned)
        ys, xs = np.nonzero((which >= first + 1) & (which <= last + 1))
        if len(xs) < 20:
            continue
        u, v = xs * cos + ys * sin, ys * cos - xs * sin
        top, bottom = np.percentile(v, [1, 99])
        height = (bottom - top) * chance.uniform(1.15, 1.65)
        middles = [u[which[ys, xs] == n + 1] for n in range(first, last + 1)]
        middles = [(each.min() + each.max()) / 2 for each in middles if len(each)]
        centre = (top + bottom) / 2 + chance.gauss(0, 0.05) * height
        for side in (-1, 1):
            n = last if side > 0 else first
            beyond = n + side
            if 0 <= beyond < len(share):
                if share[beyond] > GONE:
                    continue
                label = 1
            else:
                if share[n] < UNTOUCHED:
                    continue
                label = 0
            end, read = u.max() if side > 0 else u.min(), middles
            if label and share[beyond] > 0.05 and chance.random() < 0.5:
                ry, rx = np.nonzero(which == beyond + 1)
                rest = rx * cos + ry * sin
                end = max(end, rest.max()) if side > 0 else min(end, rest.min())
                if misreadable(share[beyond]) and chance.random() < 0.6:  # and read as another character
                    read = [*middles, (rest.min() + rest.max()) / 2]
            end += side * height * chance.uniform(0.02, 0.4)
            at = (end * cos - centre * sin, end * sin + centre * cos)
            view = end_view(picture, scale, at, height, turned, side)
            along = [INSIDE * HEIGHT + side * (middle - end) / height * HEIGHT + chance.gauss(0, 0.07) * HEIGHT for middle in read]
            samples.append((with_characters(view, along), label))
    return samples


def draw_views():
    """Of each kind, views with 1 where something is out of sight there and 0 where all can be seen. Drawing takes long: each scene is taken twice."""
    scene, which, share, angle = draw_scene()
    samples = []
    for _ in range(TAKES):
        picture, scale = taken(scene)
        for draw, kind in ((draw_ends, "ends"), (draw_gaps, "ends"), (draw_characters, "characters")):
            samples += [(view, label, kind) for view, label in draw(picture, scale, which, share, angle)]
    return samples


def seed(number):
    chance.seed(number)
    np.random.seed(number % 2**32)
