/** A picture on which rectangles are drawn, moved and resized, with mouse, finger or keyboard. */

import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { classes } from "../../../ui/classes.ts";
import { useZoneDrag } from "./use-zone-drag.ts";
import { CORNERS, moved, resized, STEP, type Zone } from "./zone-geometry.ts";
import style from "./zone-stage.module.css";

const DRAWING_RATIO = 3 / 2;
const ARROWS: { [key: string]: { x: number; y: number } } = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

export type StageProps = {
  label: string;
  zones: Zone[];
  chosen: number | undefined;
  onChoose: (index: number) => void;
  onChange: (zones: Zone[]) => void;
  /** Without it no more zones can be drawn. */
  onAdd: ((zone: Zone) => void) | undefined;
  onRemove: (index: number) => void;
  /** The picture's width to its height. */
  ratio: number | undefined;
  children: ReactNode;
};

export function ZoneStage(props: StageProps) {
  const { label, zones, chosen, ratio = DRAWING_RATIO, children } = props;
  const { t } = useTexts("organizer");
  const stage = useRef<HTMLDivElement>(null);
  const { draft, handlers } = useZoneDrag(stage, props);
  const described = chosen === undefined ? undefined : zones[chosen];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid over a picture.
    <div
      ref={stage}
      role="group"
      aria-label={label}
      className={style.stage}
      style={{ "--ratio": ratio } as CSSProperties}
      {...handlers}
    >
      {children}
      {zones.map((zone, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a zone is known by its place in the list.
        <ZoneBox key={index} index={index} zone={zone} {...props} />
      ))}
      {draft && <span className={classes(style.zone, style.draft)} style={placeOf(draft)} />}
      <span className={style.told} role="status">
        {described && chosen !== undefined && t("settings.zoneAt", percents(described, chosen))}
      </span>
    </div>
  );
}

function ZoneBox({
  index,
  zone,
  chosen,
  zones,
  onChoose,
  onChange,
  onRemove,
}: StageProps & { index: number; zone: Zone }) {
  const { t } = useTexts("organizer");
  const press = (event: KeyboardEvent) => {
    const by = ARROWS[event.key];
    if (event.key === "Delete" || event.key === "Backspace") onRemove(index);
    else if (by) onChange(zones.with(index, event.shiftKey ? resized(zone, "bottom-right", by) : moved(zone, by)));
    else return;
    event.preventDefault();
  };
  return (
    <button
      type="button"
      data-zone={index}
      className={classes(style.zone, chosen === index && style.chosen)}
      style={placeOf(zone)}
      aria-label={t("settings.zoneAt", percents(zone, index))}
      onFocus={() => onChoose(index)}
      onKeyDown={press}
    >
      <span className={style.number}>{index + 1}</span>
      {CORNERS.map((corner) => (
        <span key={corner} data-corner={corner} className={classes(style.corner, style[corner])} />
      ))}
    </button>
  );
}

function placeOf({ left, top, width, height }: Zone): CSSProperties {
  const percent = (share: number) => `${share * 100}%`;
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
}

function percents(zone: Zone, index: number) {
  const percent = (share: number) => Math.round(share * 1000) / 10;
  return {
    number: index + 1,
    left: percent(zone.left),
    top: percent(zone.top),
    width: percent(zone.width),
    height: percent(zone.height),
  };
}
