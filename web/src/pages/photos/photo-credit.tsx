/** Who took a photo, with the ways to more of theirs. */

import { Link } from "@tanstack/react-router";
import { AtSign, Camera } from "lucide-react";
import type { Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { instagramAddress } from "./photo-addresses.ts";
import style from "./photo-credit.module.css";
import { creditName } from "./photo-words.ts";

export function PhotoCredit({ photo }: { photo: Pick<Photo, "photographer"> }) {
  const { t } = useTexts("photos");
  const { photographer } = photo;
  if (!photographer) return null;
  const { photographerId, handle } = photographer;
  return (
    <span className={style.credit}>
      <Camera aria-hidden />
      <Link to="/photographers/$photographerId" params={{ photographerId }}>
        {creditName(photo) ?? photographerId}
      </Link>
      {handle && (
        <a
          href={instagramAddress(handle)}
          rel="noopener noreferrer"
          target="_blank"
          aria-label={t("credit.instagram", { handle })}
        >
          <AtSign aria-hidden />
          {handle}
        </a>
      )}
    </span>
  );
}
