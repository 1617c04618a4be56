/** Follows a pointer over the picture: on nothing it draws a zone, on a zone it moves it, on a corner it resizes. */

import { type PointerEvent, type RefObject, useRef, useState } from "react";
import { between, type Corner, isLargeEnough, moved, type Point, resized, type Zone } from "./zone-geometry.ts";
import type { StageProps } from "./zone-stage.tsx";

type Drag = { from: Point; index?: number; corner?: Corner | undefined; start?: Zone | undefined };

export function useZoneDrag(stage: RefObject<HTMLElement | null>, props: StageProps) {
  const { zones, onChoose, onChange, onAdd } = props;
  const drag = useRef<Drag>(undefined);
  const [draft, setDraft] = useState<Zone>();
  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || !stage.current) return;
    drag.current = dragAt(event, pointOf(event, stage.current), zones);
    if (drag.current.index !== undefined) onChoose(drag.current.index);
    stage.current.setPointerCapture(event.pointerId);
  };
  const follow = (event: PointerEvent) => {
    if (!drag.current || !stage.current) return;
    const { from, index, corner, start } = drag.current;
    const to = pointOf(event, stage.current);
    const by = { x: to.x - from.x, y: to.y - from.y };
    if (index !== undefined && start) {
      onChange(zones.with(index, corner ? resized(start, corner, by) : moved(start, by)));
    } else if (onAdd) setDraft(between(from, to));
  };
  const end = () => {
    if (draft && isLargeEnough(draft)) onAdd?.(draft);
    setDraft(undefined);
    drag.current = undefined;
  };
  const stop = () => {
    setDraft(undefined);
    drag.current = undefined;
  };
  return {
    draft,
    handlers: { onPointerDown: begin, onPointerMove: follow, onPointerUp: end, onPointerCancel: stop },
  };
}

function dragAt(event: PointerEvent, from: Point, zones: Zone[]): Drag {
  const target = event.target as HTMLElement;
  const box = target.closest<HTMLElement>("[data-zone]");
  if (!box) return { from };
  // A finger on a zone's button would otherwise leave the keyboard where it was.
  box.focus({ preventScroll: true });
  const index = Number(box.dataset.zone);
  return { from, index, start: zones[index], corner: target.dataset.corner as Corner | undefined };
}

function pointOf({ clientX, clientY }: PointerEvent, stage: HTMLElement): Point {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}
