/** Deliberate bugs: a few words of entry's code changed, and the invariants of which one must notice. */

import type { Replacement } from "./entry-module.ts";

export type Bug = { changes: Replacement[]; breaks: string[] };

type Words = [file: string, from: string, to: string];

function bug(breaks: string[], ...changes: Words[]): Bug {
  return { breaks, changes: changes.map(([file, from, to]) => ({ file, from, to })) };
}

const TWO_WRITES = `async function inTwo(table, actions) {
  await table.write(actions.slice(0, 1));
  if (actions.length > 1) await table.write(actions.slice(1));
}

async function nextBlocks(`;

/** Settles the request of each message by itself, as the messages come. */
const SETTLE_EACH = `for (const { requestId } of asks) {
    const { findCapacity } = await import("./config.ts");
    const { startActions, settleActions } = await import("./settle-actions.ts");
    const capacity = await findCapacity(entry, eventId);
    const request = await entry.table.get(requestKey(requestId));
    if (!capacity || request?.status !== "QUEUED") continue;
    const line = { table: entry.table, eventId, kind: "TICKET" };
    const [now, end] = [entry.clock.now(), capacity.head];
    const started = startActions({ eventId, capacity, standing: [{ position: request.ticket, request }], end, now });
    await entry.table.write(started.actions);
    await entry.table.write(settleActions({ ...started, line, config, end, voided: 0, now }));
  }
  return failures;`;

const FROM_STOCK = `const stock = (lastQueuedAt.stock ??= []);
  const kept = group.length === 1 ? stock.shift() : undefined;
  const { first, queuedAt } = kept ?? (await takeTickets(parts, config, { eventId, count: group.length + 1, notBefore }));
  if (!kept) stock.push({ first: first + group.length, queuedAt });`;

const places: { [name: string]: Bug } = {
  "place and result in two writes": bug(
    ["places-add-up"],
    ["settle.ts", "await table.write(settleActions(", "await inTwo(table, settleActions("],
    ["settle.ts", "async function nextBlocks(", TWO_WRITES],
  ),
  "settle in the order of delivery": bug(
    ["inversions"],
    ["worker.ts", "if (await settleLine(entry, eventId)) return failures;", SETTLE_EACH],
  ),
  "a gap is not waited for": bug(
    ["inversions"],
    ["line.ts", "if (block.first !== position) return;", "position = block.first;"],
    [
      "settle.ts",
      "blocks.reduce((position, { count }) => position + count,",
      "blocks.reduce((_, { first, count }) => first + count,",
    ],
  ),
  "one winner too many": bug(
    ["never-too-many"],
    [
      "settle-actions.ts",
      "winners = waiting.slice(0, capacity.capacityRemaining)",
      "winners = waiting.slice(0, capacity.capacityRemaining + 1)",
    ],
    [
      "settle-actions.ts",
      "losers = waiting.slice(capacity.capacityRemaining)",
      "losers = waiting.slice(capacity.capacityRemaining + 1)",
    ],
  ),
  "a line changed without its version": bug(
    ["places-add-up", "inversions", "status-graph", "log-kept", "place-given-once"],
    ["settle-actions.ts", 'if: is("version", capacity.version),', ""],
  ),
  "nobody resumes what was started": bug(
    ["everybody-gets-a-result"],
    [
      "settle.ts",
      "const blocks = await nextBlocks(",
      'if (capacity.startedTo > capacity.head) return "done";\n  const blocks = await nextBlocks(',
    ],
  ),
  "promotion from the end of the line": bug(
    ["inversions"],
    ["promote.ts", "winners = waiting.slice(", "winners = waiting.toReversed().slice("],
  ),
  "a place for who gave one back": bug(
    ["final-is-final"],
    ["promote.ts", 'request?.resultCode === "REJECTED_CAPACITY"', 'request?.status === "REJECTED"'],
    ["promote.ts", "position >= capacity.reserveFrom && waits", "waits"],
  ),
  "some in reserve are passed by": bug(
    ["exactly-n-places", "inversions"],
    ["promote.ts", "waiting[winners.length]?.position ?? end", "end"],
  ),
  "a place number given twice": bug(
    ["place-given-once"],
    ["promote.ts", "placesGiven: capacity.placesGiven + winners.length,", ""],
  ),
  "figures that are not kept": bug(
    ["figures-are-right"],
    ["promote.ts", "rejected: capacity.rejected - winners.length,", ""],
  ),
  "forgotten before it is told": bug(
    ["registry-hears"],
    [
      "outgoing.ts",
      "await messages.send(",
      "await table.write(items.map(({ PK, SK }) => ({ delete: { PK, SK } })));\n    await messages.send(",
    ],
  ),
  "told for ever": bug(["comes-to-rest"], ["outgoing.ts", "await table.write(items", "void (items"]),
};

const tickets: { [name: string]: Bug } = {
  "no lock": bug(["one-request-each"], ["participate.ts", ", if: free }", " }"]),
  "ticket before enqueue": bug(
    ["sent-before-ticket"],
    ["line-up.ts", "const sent = await sendGroup(parts, group);", "const sent = group; void sendGroup(parts, group);"],
  ),
  "redrive with a new ticket": bug(
    ["ticket-changed"],
    ["worker.ts", 'if (request?.status !== "RECEIVED") continue;', 'if (request?.uiResult !== "PENDING") continue;'],
    ["tickets.ts", 'is("status", "RECEIVED")', 'is("uiResult", "PENDING")'],
  ),
  "a voided ticket comes back": bug(
    ["ticket-given-once"],
    ["tickets.ts", 'ttl: lineTtl(config) }, if: absent("PK") }', "ttl: lineTtl(config) } }"],
  ),
  "a claimed ticket is voided": bug(["ticket-given-once"], ["tickets.ts", 'if: absent("PK"),', ""]),
  "times run backwards with another clock": bug(
    ["tickets-grow", "queued-in-ticket-order"],
    ["tickets.ts", ', below("queuedAt", queuedAt))', ")"],
  ),
  "tickets kept in stock": bug(
    ["later-is-behind"],
    [
      "line-up.ts",
      "const { first, queuedAt } = await takeTickets(parts, config, { eventId, count: group.length, notBefore });",
      FROM_STOCK,
    ],
  ),
  "a group in any order": bug(["queued-in-ticket-order"], ["line-up.ts", "sent.sort((a, b)", "[...sent].sort((a, b)"]),
  "queued without its index keys": bug(
    ["only-requests-indexed"],
    ["tickets.ts", "...queuedKeys(each.request, queuedAt), ", ""],
  ),
  "a request that nobody adopts": bug(
    ["everybody-gets-a-result"],
    ["worker.ts", "adopted.push(adopt(", "void (() => adopt("],
  ),
  "a request refused by deleting it": bug(
    ["request-vanished"],
    ["line-up.ts", "update: requestKey(requestId),\n        set: failed,", "delete: requestKey(requestId),"],
  ),
  "a message about nothing is failed for ever": bug(
    ["dead-letters-heal"],
    [
      "worker.ts",
      'if (request?.status !== "RECEIVED") continue;',
      'if (!request) failures.push({ id: message.id, reason: "What?" });\n    if (request?.status !== "RECEIVED") continue;',
    ],
  ),
  "a step without its log": bug(
    ["every-step-logged"],
    ["tickets.ts", "for (const each of numbered) actions.push(queuedLog(each));", ""],
  ),
  "two steps in one log item": bug(["log-kept"], ["settle-actions.ts", "finishedAt + 1)", "finishedAt)"]),
  "started before it was queued": bug(
    ["log-in-order", "times-in-order"],
    ["settle-actions.ts", "Math.max(now, request.queuedAt ?? 0, request.requestedAt)", "now"],
  ),
};

const events: { [name: string]: Bug } = {
  "results before the announcement": bug(
    ["secret-until-announced"],
    [
      "settle.ts",
      'config.status === "Announced" ? { table, eventId, kind: "RANK" } : undefined',
      '{ table, eventId, kind: "RANK" }',
    ],
  ),
  "entrants after the freeze": bug(["frozen-is-frozen", "draw-is-made"], ["tickets.ts", 'absent("closed"), ', ""]),
  "another order each time": bug(
    ["ranks-kept", "draw-is-published"],
    ["lottery.ts", "draw.seed, draw.beaconValue", "entry.newSeed(), draw.beaconValue"],
  ),
  "a freeze that is made again": bug(["draw-is-kept"], ["lottery.ts", ', absent("frozenAt"))', ")"]),
  "an entrant left out of the draw": bug(
    ["draw-is-made", "everybody-gets-a-result"],
    ["lottery.ts", "drawOrder(entrants,", "drawOrder(entrants.slice(1),"],
  ),
  "another proof than the draw": bug(
    ["draw-is-published"],
    ["lottery.ts", "order.map(({ ticket }) => ticket)", "order.map(({ ticket }) => ticket).toReversed()"],
  ),
  "a removed event comes back": bug(
    ["removed-is-removed", "place-given-once"],
    ["config.ts", 'all(exists("removed"), below("revision", settings.revision))', 'exists("removed")'],
  ),
  "old settings over new ones": bug(
    ["settings-arrive"],
    ["config.ts", "if (config && config.revision >= settings.revision) return config;", ""],
    ["config.ts", ', is("revision", config.revision))', ")"],
  ),
};

export const BUGS: { [name: string]: Bug } = { ...places, ...tickets, ...events };
