"""A flat race bib: paper, print, number. Sizes are in heights of a digit."""

import glob
import random as chance

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

PX = 48  # of a digit's height on the flat bib
DARK = [(20, 20, 24), (25, 25, 30), (15, 20, 60), (120, 15, 20), (190, 30, 40), (20, 70, 140), (10, 80, 50), (70, 40, 110)]
BRIGHT = [(250, 250, 248), (240, 238, 230), (252, 222, 60), (250, 150, 60), (120, 200, 240), (250, 170, 200), (150, 220, 130), (200, 180, 240)]
WORDS = "RUN MARATHON CITY HALF 10K 42 KM SPRING NIGHT RACE CLUB 2026 BANK SPORT TEAM ALPHA HYDRO MILES OPEN TRAIL Anna Mark Joon Lee run fast 5 km".split()


def usable_fonts():
    names = sorted(glob.glob("/usr/share/fonts/**/*.[to]tf", recursive=True))
    wanted = [n for n in names if not any(bad in n.lower() for bad in ("symbol", "math", "dingbat", "d050", "emoji", "music", "arab", "icon", "fallback", "standardsymbols"))]
    heavy = [n for n in wanted if any(k in n.lower() for k in ("bold", "black", "heavy", "demi", "semibold"))]
    return heavy + heavy + wanted


FONTS = None


def font(size):
    global FONTS
    if FONTS is None:
        FONTS = usable_fonts()
    for _ in range(20):
        try:
            name = chance.choice(FONTS)
            made = ImageFont.truetype(name, size)
            if made.getmask("8").getbbox() and made.getmask("8").getbbox() != made.getmask("1").getbbox():
                return made
        except OSError:
            continue
    raise RuntimeError("no font can be used: install some of Debian's fonts- packages")


def near(colour, by):
    return tuple(int(np.clip(c + chance.uniform(-by, by), 0, 255)) for c in colour)


def number_text():
    length = chance.choices([1, 2, 3, 4, 5, 6], [1, 4, 10, 14, 12, 3])[0]
    digits = "".join(chance.choice("0123456789") for _ in range(length))
    digits = chance.choice("123456789") + digits[1:]
    return chance.choice("ABCDEFGHJKLMNPRSTWX") + digits if chance.random() < 0.12 else digits


def character(letter, face, wide):
    """Its ink as a mask of a digit's height, as wide as it comes out."""
    big = ImageFont.truetype(face.path, 96)
    left, top, right, bottom = big.getbbox("8")
    tall = bottom - top
    a, _, b, _ = big.getbbox(letter)
    image = Image.new("L", (max(1, b - a) + 4, tall + 4))
    ImageDraw.Draw(image).text((2 - a, 2 - top), letter, fill=255, font=big)
    width = max(3, int((b - a) * PX / tall * wide))
    return cv2.resize(np.array(image), (width, PX), interpolation=cv2.INTER_AREA)


def small_print(picture, box, colour):
    """Words and lines of sponsors within a box of pixels."""
    left, top, right, bottom = box
    if right - left < 8 or bottom - top < 6:
        return
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    size = int(np.clip((bottom - top) * chance.uniform(0.45, 0.95), 6, 60))
    text = " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 4)))
    face = font(size)
    a, b, c, d = draw.textbbox((0, 0), text, font=face)
    place = chance.random()
    x = left + 2 if place < 0.3 else right - (c - a) - 2 if place < 0.5 else (left + right - c + a) / 2
    draw.text((x - a, (top + bottom - d - b) / 2), text, fill=colour, font=face)
    if chance.random() < 0.3:
        at = chance.uniform(left, right)
        draw.ellipse((at, top + 1, at + (bottom - top) * 0.9, bottom - 1), fill=near(chance.choice(DARK + BRIGHT), 20))
    picture[:] = np.array(image)


def make_bib(narrow):
    """`narrow`: with hardly any margin. The paper's colours and opacity, and on it which pixel belongs to which character, from 1."""
    number = number_text()
    face = font(40)
    wide = chance.uniform(0.62, 1.12)
    gap = chance.uniform(-0.01, 0.14) * PX
    marks = [character(letter, face, wide) for letter in number]
    if chance.random() < 0.5:  # figures of one width
        widest = max(m.shape[1] for m in marks)
        room = [max(gap, widest - m.shape[1] + gap) for m in marks]
    else:
        room = [gap] * len(marks)
    if chance.random() < 0.1 and len(marks) > 1:  # air after a letter, or between two groups of digits
        place = 0 if number[0].isalpha() else chance.randrange(len(marks) - 1)
        room[place] += chance.uniform(0.1, 0.6) * PX
    length = sum(m.shape[1] for m in marks) + sum(room[:-1])
    tight = chance.random() < 0.45
    margin = chance.uniform(0.02, 0.25) if narrow else chance.uniform(0.08, 0.4) if tight else chance.uniform(0.25, 1.6)
    sides = [max(0.02, margin * chance.uniform(0.75, 1.3)) * PX for _ in range(2)]
    above = chance.uniform(0.1, 0.4) if chance.random() < 0.3 else chance.uniform(0.3, 1.5)
    below = chance.uniform(0.1, 0.4) if chance.random() < 0.4 else chance.uniform(0.2, 1.3)
    width, height = int(length + sum(sides)), int((1 + above + below) * PX)
    paper = near(chance.choice(BRIGHT[:2]), 8) if chance.random() < 0.65 else near(chance.choice(BRIGHT + DARK), 25)
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = paper
    top = int(above * PX)
    behind = paper
    if chance.random() < 0.35:  # a coloured field behind the number
        behind = near(chance.choice(BRIGHT + DARK), 25)
        inset = int(chance.choice([0, 0, chance.uniform(0.02, 0.8) * min(sides)]))
        rim = int(chance.uniform(0.04, 0.3) * PX)
        picture[max(0, top - rim) : top + PX + rim, inset : width - inset] = behind
    ink = chance.choice(DARK) if sum(behind) > 380 else chance.choice(BRIGHT)
    for _ in range(10):
        if abs(sum(ink) - sum(behind)) > 150:
            break
        ink = chance.choice(DARK + BRIGHT)
    if chance.random() < 0.7 and top > 14:  # a band of the race's name
        band = int(top * chance.uniform(0.4, 0.9))
        if chance.random() < 0.6:
            picture[:band] = near(chance.choice(DARK + BRIGHT), 25)
        small_print(picture, (2, 1, width - 2, band), near(chance.choice(DARK + BRIGHT), 25))
    bottom = top + PX
    if height - bottom > 12 and chance.random() < 0.7:
        if chance.random() < 0.3:
            picture[bottom + (height - bottom) // 3 :] = near(chance.choice(DARK + BRIGHT), 25)
        small_print(picture, (2, bottom + (height - bottom) // 4, width - 2, height - 1), near(chance.choice(DARK), 25))
    if chance.random() < 0.15:
        cv2.rectangle(picture, (1, 1), (width - 2, height - 2), near(chance.choice(DARK), 20), chance.randint(1, 3))
    for side in range(2):  # pictures and codes beside the number
        if sides[side] > 0.7 * PX and chance.random() < 0.25:
            size = int(sides[side] * chance.uniform(0.4, 0.75))
            x = int(sides[0] - size) // 2 if side == 0 else width - int(sides[1] + size) // 2
            y = int(np.clip(top + chance.uniform(-0.5, 0.8) * PX, 0, height - size - 1))
            code = (np.random.rand(8, 8) < 0.5).astype(np.uint8) * 255
            if chance.random() < 0.5:
                code = cv2.resize(code, (size, size), interpolation=cv2.INTER_NEAREST)
                patch = picture[y : y + size, max(0, x) : x + size]
                patch[:] = code[: patch.shape[0], : patch.shape[1], None]
            else:
                cv2.circle(picture, (x + size // 2, y + size // 2), size // 2, near(chance.choice(DARK + BRIGHT), 30), -1)
    for x, y in ((0.04, 0.06), (0.96, 0.06), (0.04, 0.94), (0.96, 0.94)):
        if chance.random() < 0.6:
            cv2.circle(picture, (int(x * width), int(y * height)), max(1, PX // 24), (60, 60, 60), -1)
    which = np.zeros((height, width), np.uint8)
    outline = chance.random() < 0.08
    x, spans = sides[0], []
    for n, (mark, after) in enumerate(zip(marks, room)):
        at = int(x)
        mark = mark[:, : max(0, width - at)]
        solid = mark
        if outline:
            solid = cv2.subtract(mark, cv2.erode(mark, np.ones((5, 5), np.uint8)))
        share = solid[:, :, None].astype(np.float32) / 255
        patch = picture[top : top + PX, at : at + mark.shape[1]]
        patch[:] = (patch * (1 - share) + np.array(ink, np.float32) * share).astype(np.uint8)
        which[top : top + PX, at : at + mark.shape[1]][mark > 127] = n + 1
        spans.append((at, at + mark.shape[1]))
        x += mark.shape[1] + after
    opaque = np.full((height, width), 255, np.uint8)
    if chance.random() < 0.04:  # printed on the shirt itself
        opaque[:] = 0
        opaque[which > 0] = 255
    return {"picture": picture, "opaque": opaque, "which": which, "spans": spans, "top": top, "number": number, "paper": paper}
