/** Photos in justified rows, of which only those near the window are there: thousands scroll as lightly as ten. */

import { type MouseEvent, memo, type Ref, useEffect, useImperativeHandle, useRef } from "react";
import type { Photo } from "../../api/types.ts";
import { type GridHandle, gridHandle } from "./grid-handle.ts";
import { gridKeys } from "./grid-keys.ts";
import type { GridGroup, GridLine } from "./grid-lines.ts";
import style from "./photo-grid.module.css";
import { PhotoTile } from "./photo-tile.tsx";
import { usePhotoName } from "./photo-words.ts";
import type { Selection } from "./use-selection.ts";
import { useVirtualLines } from "./use-virtual-lines.ts";

type GridProps = {
  label: string;
  groups: readonly GridGroup[];
  zone?: string | undefined;
  hasMore?: boolean;
  onMore?: () => void;
  onOpen: (photo: Photo) => void;
  onBroken: (ulid: string) => void;
  selection?: Selection | undefined;
  isChoosing?: boolean;
  noteOf?: ((photo: Photo) => string | undefined) | undefined;
  ref?: Ref<GridHandle>;
};

/** Asked for while this much is still to come: a fast thumb is seldom faster. */
const MORE_WITHIN_LINES = 12;

export function PhotoGrid(props: GridProps) {
  const { label, groups, hasMore = false, onMore, ref } = props;
  const box = useRef<HTMLDivElement>(null);
  const { lines, virtualizer, topPixels, isMeasured } = useVirtualLines(box, groups);
  const shown = virtualizer.getVirtualItems();
  const isNearEnd = isMeasured && (shown.at(-1)?.index ?? -1) >= lines.length - MORE_WITHIN_LINES;
  useEffect(() => {
    if (hasMore && isNearEnd) onMore?.();
  }, [hasMore, isNearEnd, onMore]);
  const handle = gridHandle(box, lines, virtualizer);
  useImperativeHandle(ref, () => handle);
  const nameOf = usePhotoName(props.zone);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs.
    <div
      ref={box}
      role="group"
      aria-label={label}
      className={style.grid}
      onKeyDown={gridKeys(lines, handle.reveal, props.selection)}
      onClick={(event) => openClicked(event, props)}
    >
      <div className={style.sheet} style={{ height: virtualizer.getTotalSize() }}>
        {shown.map((item) => (
          <Line
            key={item.key}
            line={lines[item.index]}
            topPixels={item.start - topPixels}
            nameOf={nameOf}
            chosen={props.selection?.chosen}
            onChoose={props.selection?.toggle}
            isChoosing={props.isChoosing ?? false}
            noteOf={props.noteOf}
            onBroken={props.onBroken}
          />
        ))}
      </div>
    </div>
  );
}

type LineProps = Pick<GridProps, "noteOf" | "onBroken"> & {
  line: GridLine | undefined;
  topPixels: number;
  nameOf: (photo: Photo) => string;
  chosen: ReadonlySet<string> | undefined;
  onChoose: Selection["toggle"] | undefined;
  isChoosing: boolean;
};

const Line = memo(function Line({ line, topPixels, nameOf, chosen, noteOf, ...rest }: LineProps) {
  if (!line) return null;
  const place = { top: topPixels, height: line.heightPixels };
  if (line.kind === "heading") {
    return (
      <div className={style.heading} style={place}>
        {line.heading}
      </div>
    );
  }
  return (
    <div className={style.row} style={place}>
      {line.cells.map(({ photo, widthPixels }) => (
        <PhotoTile
          key={photo.ulid}
          photo={photo}
          name={nameOf(photo)}
          widthPixels={widthPixels}
          heightPixels={line.heightPixels}
          isChosen={chosen?.has(photo.ulid) ?? false}
          note={noteOf?.(photo)}
          {...rest}
        />
      ))}
    </div>
  );
});

/** As a link where it is opened in another tab, and here otherwise. */
function openClicked(event: MouseEvent, { groups, onOpen, selection, isChoosing }: GridProps): void {
  const link = (event.target as Element).closest<HTMLElement>("a[data-ulid]");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return;
  const { ulid } = link.dataset;
  const photo = groups.flatMap(({ photos }) => photos).find((each) => each.ulid === ulid);
  if (!photo || (event.shiftKey && !selection)) return;
  event.preventDefault();
  if (selection && (isChoosing || event.shiftKey)) selection.toggle(photo.ulid, event.shiftKey);
  else onOpen(photo);
}
