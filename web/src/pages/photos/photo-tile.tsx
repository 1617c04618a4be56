/** One photo in the grid: its colours until it is there, a link to it, and a mark to choose it. */

import { memo, useEffect, useRef, useState } from "react";
import type { Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { classes } from "../../ui/classes.ts";
import { askPaced, isResting, showPaced } from "./paced-images.ts";
import { photoPath } from "./photo-addresses.ts";
import style from "./photo-tile.module.css";
import { averageOf, placeholderOf } from "./placeholder.ts";

type TileProps = {
  photo: Photo;
  name: string;
  widthPixels: number;
  heightPixels: number;
  isChosen: boolean;
  /** Whether a click on the photo chooses it. */
  isChoosing: boolean;
  note?: string | undefined;
  onChoose?: ((ulid: string, upTo: boolean) => void) | undefined;
  onBroken: (ulid: string) => void;
};

export const PhotoTile = memo(function PhotoTile(props: TileProps) {
  const { photo, name, widthPixels, heightPixels, isChosen, isChoosing, note, onChoose, onBroken } = props;
  return (
    <div
      className={classes(style.tile, isChosen && style.chosen, isChoosing && style.choosing)}
      style={{
        width: widthPixels,
        height: heightPixels,
        // One that is chosen has a frame around it.
        backgroundColor: isChosen ? undefined : averageOf(photo.thumbhash),
      }}
    >
      <a href={photoPath(photo)} aria-label={name} className={style.link} data-ulid={photo.ulid}>
        <Thumbnail key={photo.ulid} photo={photo} onBroken={onBroken} />
      </a>
      {note && <span className={style.note}>{note}</span>}
      {onChoose && <Choice {...{ photo, name, isChosen, onChoose }} />}
    </div>
  );
});

/** What comes faster than this needs no more than one colour, nor what passes by. */
const PASSING_MS = 120;

/** Loaded anew when its address is another one, or when the connection is back. */
function Thumbnail({ photo: { ulid, thumbnailUrl, thumbhash }, onBroken }: Pick<TileProps, "photo" | "onBroken">) {
  const [broken, setBroken] = useState<string>();
  const [isSlow, setSlow] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  const isBroken = broken === thumbnailUrl;
  useEffect(() => {
    const look = setInterval(() => {
      const isLoaded = image.current?.hasAttribute("data-loaded") ?? false;
      if (!isLoaded && !isResting()) return;
      setSlow(!isLoaded);
      clearInterval(look);
    }, PASSING_MS);
    return () => clearInterval(look);
  }, []);
  useEffect(() => {
    // One that was broken is another image when it comes again.
    return isBroken || !image.current ? undefined : askPaced(image.current, thumbnailUrl);
  }, [thumbnailUrl, isBroken]);
  useEffect(() => {
    if (!isBroken) return;
    onBroken(ulid);
    const again = () => setBroken(undefined);
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [isBroken, onBroken, ulid]);
  return (
    <>
      {(isSlow || isBroken) && <span className={style.colours} style={{ backgroundImage: placeholderOf(thumbhash) }} />}
      {!isBroken && (
        // Not decoded by a wish of ours (decoding="async"): scrolled fast, Chromium's compositor stood still with it.
        <img
          ref={image}
          alt=""
          draggable={false}
          onLoad={(event) => showPaced(event.currentTarget)}
          onError={() => setBroken(thumbnailUrl)}
        />
      )}
    </>
  );
}

function Choice({
  photo,
  name,
  isChosen,
  onChoose,
}: Pick<TileProps, "photo" | "name" | "isChosen"> & { onChoose: NonNullable<TileProps["onChoose"]> }) {
  const { t } = useTexts("photos");
  // A change does not tell which keys were held, the click or key press before it does.
  const isUpTo = useRef(false);
  return (
    <label className={style.choice}>
      <input
        type="checkbox"
        checked={isChosen}
        aria-label={t("select.one", { name })}
        onClick={(event) => {
          isUpTo.current = event.shiftKey || isUpTo.current;
        }}
        onKeyDown={(event) => {
          isUpTo.current = event.shiftKey;
        }}
        onChange={() => {
          onChoose(photo.ulid, isUpTo.current);
          isUpTo.current = false;
        }}
      />
    </label>
  );
}
