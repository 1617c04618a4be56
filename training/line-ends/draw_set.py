"""Draws a set of views into a file: draw_set.py FILE.npz SEED SCENES"""

import sys

import cv2
import numpy as np

from draw import draw_views, seed


cv2.setNumThreads(1)


def main(path, first, scenes):
    views, labels, kinds = [], [], []
    for number in range(first, first + scenes):
        seed(number)
        for view, label, kind in draw_views():
            views.append(view)
            labels.append(label)
            kinds.append(kind)
        if (number - first) % 1000 == 999:
            print(f"{path}: {number - first + 1} of {scenes} scenes, {len(labels)} views, {np.mean(labels):.2f} hidden", flush=True)
    np.savez(path, views=np.stack(views), labels=np.array(labels, np.uint8), kinds=np.array(kinds))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
