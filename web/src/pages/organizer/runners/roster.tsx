/** The event's runners in the order of bibs, or the one with the bib that is looked for. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Pencil, Search, Trash2, Users } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiProblem, call } from "../../../api/call.ts";
import type { Runner } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Spoken } from "../../../ui/spoken.tsx";
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx";
import type { RunnerTask } from "../runners-tab.tsx";
import style from "./roster.module.css";
import { runnersQuery } from "./runner-queries.ts";

type RosterProps = { eventId: string; onTask: (task: RunnerTask) => void };

export function Roster({ eventId, onTask }: RosterProps) {
  const { t } = useTexts("organizer");
  const [bib, setBib] = useState("");
  const list = useInfiniteQuery(runnersQuery(eventId));
  if (list.isPending) return <Skeleton lines={6} className={style.placeholder} />;
  if (!list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const all = list.data.pages.flatMap((page) => page.items);
  if (all.length === 0) return <NoRunners onTask={onTask} />;
  return (
    <>
      <BibSearch onSearch={setBib} />
      {bib ? (
        <Found eventId={eventId} bib={bib} onTask={onTask} />
      ) : (
        <>
          <RunnerTable runners={all} onTask={onTask} />
          {list.hasNextPage && (
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t("runners.more")}
            </Button>
          )}
        </>
      )}
    </>
  );
}

function NoRunners({ onTask }: Pick<RosterProps, "onTask">) {
  const { t } = useTexts("organizer");
  return (
    <Card>
      <Empty
        icon={<Users aria-hidden />}
        title={t("runners.none")}
        actions={
          <Button look="main" onClick={() => onTask({ kind: "import" })}>
            {t("runners.importFirst")}
          </Button>
        }
      >
        {t("runners.noneText")}
      </Empty>
    </Card>
  );
}

function BibSearch({ onSearch }: { onSearch: (bib: string) => void }) {
  const { t } = useTexts("organizer");
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  const type = (text: string) => {
    setTyped(text);
    if (text.trim() === "") onSearch("");
  };
  return (
    <form className={style.search} onSubmit={submit}>
      <TextField
        label={t("runners.searchBib")}
        type="search"
        value={typed}
        onChange={(event) => type(event.target.value)}
        autoComplete="off"
        maxLength={12}
        figures
      />
      <Button type="submit" icon={<Search aria-hidden />}>
        {t("runners.search")}
      </Button>
    </form>
  );
}

function Found({ eventId, bib, onTask }: RosterProps & { bib: string }) {
  const { t } = useTexts("organizer");
  const { data, error, refetch } = useQuery({
    queryKey: [...runnersQuery(eventId).queryKey, bib],
    queryFn: ({ signal }) => call("GET /admin/events/{eventId}/runners/{bib}", { path: { eventId, bib }, signal }),
  });
  const isMissing = error instanceof ApiProblem && (error.status === 404 || error.status === 400);
  if (data && !isMissing) return <RunnerTable runners={[data]} onTask={onTask} />;
  if (!error) return <Skeleton lines={2} className={style.placeholder} />;
  if (!isMissing) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <div role="status">
      <Empty title={t("runners.notFound", { bib })}>{t("runners.notFoundText")}</Empty>
    </div>
  );
}

function RunnerTable({ runners, onTask }: { runners: Runner[]; onTask: (task: RunnerTask) => void }) {
  const { t } = useTexts("organizer");
  return (
    <DataTable
      caption={t("runners.title")}
      rows={runners}
      keyOf={({ bib }) => bib}
      columns={[
        { name: t("runners.fields.bib"), cell: ({ bib }) => <span className={style.bib}>{bib}</span> },
        { name: t("runners.fields.name"), cell: ({ name }) => name },
        { name: t("runners.fields.team"), cell: ({ team }) => team },
        { name: t("runners.fields.gender"), cell: ({ gender }) => gender },
        { name: t("runners.fields.age"), cell: ({ age }) => age, figures: true },
        { name: t("runners.fields.finishTime"), cell: ({ finishTime }) => finishTime, figures: true },
        { name: t("runners.source"), cell: ({ source }) => <Badge>{t(`runners.sources.${source}`)}</Badge> },
        { name: <Spoken>{t("runners.actions")}</Spoken>, cell: (runner) => <Actions {...{ runner, onTask }} /> },
      ]}
    />
  );
}

function Actions({ runner, onTask }: { runner: Runner; onTask: (task: RunnerTask) => void }) {
  const { t } = useTexts("organizer");
  return (
    <span className={style.actions}>
      <IconButton
        label={t("runners.edit", { bib: runner.bib })}
        size="small"
        onClick={() => onTask({ kind: "edit", runner })}
      >
        <Pencil aria-hidden />
      </IconButton>
      <IconButton
        label={t("runners.remove", { bib: runner.bib })}
        size="small"
        onClick={() => onTask({ kind: "remove", runner })}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </span>
  );
}
