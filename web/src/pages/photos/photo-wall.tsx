/** Photos to look at, to open and to choose from: the grid, the viewer in front of it, and what is done with those chosen. */

import { useSearch } from "@tanstack/react-router";
import { CheckCheck } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import type { GridHandle } from "./grid-handle.ts";
import { PhotoGrid } from "./photo-grid.tsx";
import style from "./photo-wall.module.css";
import { SelectionBar } from "./selection-bar.tsx";
import { useLinkedPhoto } from "./use-linked-photo.ts";
import { useOpenPhoto } from "./use-open-photo.ts";
import { useSelection } from "./use-selection.ts";

const Viewer = lazy(() => import("./viewer.tsx").then((file) => ({ default: file.Viewer })));

type WallProps = {
  eventId: string;
  label: string;
  zone: string | undefined;
  photos: readonly Photo[];
  /** The photo from which rows are filled upwards and downwards. */
  anchor?: number;
  hasMore?: boolean;
  onMore?: () => void;
  onBroken: (ulid: string) => void;
  count: ReactNode;
  actions?: ReactNode;
  noteOf?: (photo: Photo) => string | undefined;
};

export function PhotoWall(props: WallProps) {
  const { eventId, label, zone, photos, anchor = 0, hasMore = false, onMore = NOTHING, onBroken, noteOf } = props;
  const grid = useRef<GridHandle>(null);
  const selection = useSelection(photos);
  const [isChoosing, setChoosing] = useState(false);
  const { open } = useOpenPhoto();
  const groups = useMemo(() => [{ key: "all", photos, anchor, isEnd: !hasMore }], [photos, anchor, hasMore]);
  const stop = useCallback(() => {
    setChoosing(false);
    selection.clear();
  }, [selection.clear]);
  return (
    <>
      {photos.length > 0 && (
        <Tools {...props} isChoosing={isChoosing} onChoosing={() => (isChoosing ? stop() : setChoosing(true))} />
      )}
      <PhotoGrid
        ref={grid}
        label={label}
        groups={groups}
        zone={zone}
        hasMore={hasMore}
        onMore={onMore}
        onOpen={({ ulid }) => open(ulid)}
        onBroken={onBroken}
        selection={selection}
        isChoosing={isChoosing || selection.chosen.size > 0}
        noteOf={noteOf}
      />
      <SelectionBar eventId={eventId} chosen={selection.chosen} onClear={stop} />
      <OpenPhoto {...{ eventId, photos, zone, hasMore, onMore, onBroken, grid }} />
    </>
  );
}

const NOTHING = () => {};

function Tools({
  count,
  actions,
  isChoosing,
  onChoosing,
}: Pick<WallProps, "count" | "actions"> & { isChoosing: boolean; onChoosing: () => void }) {
  const { t } = useTexts("photos");
  return (
    <div className={style.tools}>
      <p className={style.count}>{count}</p>
      {actions}
      <Button look="quiet" icon={<CheckCheck aria-hidden />} aria-pressed={isChoosing} onClick={onChoosing}>
        {isChoosing ? t("select.stop") : t("select.start")}
      </Button>
    </div>
  );
}

type OpenProps = Required<Pick<WallProps, "eventId" | "photos" | "zone" | "hasMore" | "onMore" | "onBroken">> & {
  grid: React.RefObject<GridHandle | null>;
};

/** Stays until the viewer has closed for the eye too, and then leads back to the photo that was open last. */
function OpenPhoto({ eventId, photos, zone, hasMore, onMore, onBroken, grid }: OpenProps) {
  const { photo: ulid } = useSearch({ from: "/events/$eventId/photos" });
  const { move, close } = useOpenPhoto();
  const [isThere, setThere] = useState(false);
  const shown = useLinkedPhoto(eventId, photos, ulid);
  useEffect(() => {
    if (ulid !== undefined && shown.length > 0) setThere(true);
  }, [ulid, shown]);
  if (!isThere) return null;
  return (
    <Suspense fallback={null}>
      <Viewer
        photos={shown}
        ulid={ulid}
        zone={zone}
        hasMore={hasMore && shown === photos}
        thumbnail={(each) => grid.current?.thumbnail(each) ?? null}
        onMove={(each) => {
          grid.current?.reveal(each);
          move(each);
        }}
        onMore={onMore}
        onBroken={onBroken}
        onClose={close}
        onGone={(last) => {
          setThere(false);
          grid.current?.reveal(last, true);
        }}
      />
    </Suspense>
  );
}
