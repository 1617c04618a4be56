/** Which photo is open in front of the grid: the address says so, Back closes it, and a link opens it. */

import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useRef } from "react";

const EVENT_PHOTOS = "/events/$eventId/photos";

export function useOpenPhoto() {
  const navigate = useNavigate({ from: EVENT_PHOTOS });
  const router = useRouter();
  // Whoever came by a link has no page of ours behind them.
  const isOwnEntry = useRef(false);
  const open = useCallback(
    (ulid: string) => {
      isOwnEntry.current = true;
      void navigate({ to: EVENT_PHOTOS, search: (before) => ({ ...before, photo: ulid }), resetScroll: false });
    },
    [navigate],
  );
  const move = useCallback(
    (ulid: string) =>
      void navigate({
        to: EVENT_PHOTOS,
        search: (before) => ({ ...before, photo: ulid }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const close = useCallback(() => {
    if (isOwnEntry.current) {
      isOwnEntry.current = false;
      return router.history.back();
    }
    void navigate({
      to: EVENT_PHOTOS,
      search: ({ photo: _, ...rest }) => rest,
      replace: true,
      resetScroll: false,
    });
  }, [navigate, router]);
  return { open, move, close };
}
