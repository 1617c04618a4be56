/** The files one by one: thousands of them, of which only those in sight are drawn. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import style from "./file-list.module.css";
import { FileRow } from "./file-row.tsx";
import type { FileState, QueuedFile } from "./sending/queued-file.ts";
import type { QueueView, UploadQueue } from "./sending/upload-queue.ts";

const ROW_PIXELS = 56;

const FILTERS = {
  all: undefined,
  underWay: ["waiting", "checking", "sending", "missing"],
  sent: ["sent"],
  twice: ["known", "duplicate"],
  problems: ["refused", "failed"],
} as const satisfies { [filter: string]: readonly FileState[] | undefined };
type Filter = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as Filter[];

type ListProps = { queue: UploadQueue; view: QueueView };

export function FileList({ queue, view }: ListProps) {
  const { t } = useTexts("photographer");
  const [filter, setFilter] = useState<Filter>("all");
  const rows = rowsOf(view, filter);
  const arrived = view.counts.sent + view.counts.known + view.counts.duplicate;
  return (
    <section className={style.list} aria-labelledby="files">
      <div className={style.top}>
        <h2 id="files">{t("files.title")}</h2>
        <div className={style.actions}>
          {arrived > 0 && (
            <Button size="small" look="quiet" onClick={() => queue.clear("arrived")}>
              {t("files.clear")}
            </Button>
          )}
          {["idle", "paused", "stopped"].includes(view.status) && (
            <Button size="small" look="quiet" onClick={() => queue.clear("all")}>
              {t("files.clearAll")}
            </Button>
          )}
        </div>
      </div>
      <Filters view={view} chosen={filter} onChoose={setFilter} />
      {rows.length === 0 ? (
        <p className={style.none}>{t("files.none")}</p>
      ) : (
        <Rows key={filter} queue={queue} rows={rows} />
      )}
    </section>
  );
}

function rowsOf({ rows }: QueueView, filter: Filter): readonly QueuedFile[] {
  const states: readonly FileState[] | undefined = FILTERS[filter];
  return states ? rows.filter(({ state }) => states.includes(state)) : rows;
}

function countOf({ rows, counts }: QueueView, filter: Filter): number {
  const states: readonly FileState[] | undefined = FILTERS[filter];
  return states ? states.reduce((sum, state) => sum + counts[state], 0) : rows.length;
}

type FiltersProps = { view: QueueView; chosen: Filter; onChoose: (filter: Filter) => void };

function Filters({ view, chosen, onChoose }: FiltersProps) {
  const { t } = useTexts("photographer");
  const formats = useFormats();
  return (
    <fieldset className={style.filters}>
      <legend className={style.legend}>{t("files.show")}</legend>
      {FILTER_NAMES.filter((filter) => filter === "all" || filter === chosen || countOf(view, filter) > 0).map(
        (filter) => (
          <Button
            key={filter}
            size="small"
            look={filter === chosen ? "plain" : "quiet"}
            aria-pressed={filter === chosen}
            onClick={() => onChoose(filter)}
          >
            {t(`files.filters.${filter}`)} <span className={style.count}>{formats.number(countOf(view, filter))}</span>
          </Button>
        ),
      )}
    </fieldset>
  );
}

function Rows({ queue, rows }: { queue: UploadQueue; rows: readonly QueuedFile[] }) {
  const { t } = useTexts("photographer");
  const scroll = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 6,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section ref={scroll} className={style.scroll} aria-label={t("files.title")} tabIndex={0}>
      <ul className={style.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={row.id}
              className={style.row}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              <FileRow queue={queue} row={row} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
