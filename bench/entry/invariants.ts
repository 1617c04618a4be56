/** Entry's invariants, recomputed from nothing but what the API answered: to the people, and to the organizer afterwards. */

export type PersonsAnswer = {
  userId: string;
  status: number;
  requestId?: string | undefined;
  ticket?: number | null | undefined;
  queuedAt?: number | null | undefined;
};

export type ListedRequest = {
  requestId: string;
  userId: string;
  status: string;
  resultCode: string | null;
  ticket: number | null;
  queuedAt: number | null;
  finishedAt: number | null;
};

export type Summary = {
  capacityTotal: number;
  capacityRemaining: number;
  tickets: number;
  voided: number;
  byStatus: { [status: string]: number };
};

export type ListedRunner = { bib: string; userId: string | null };

export type Facts = {
  places: number;
  answers: PersonsAnswer[];
  /** In the order the organizer's list has them. */
  requests: ListedRequest[];
  summary: Summary;
  runners: ListedRunner[];
  /** The requests that wait for an organizer in the dead-letter queue. */
  deadLetters: string[];
};

/** A rule that does not hold: how often, and the first case. */
export type Breach = { rule: string; count: number; example: string };

const FINAL = new Set(["SUCCEEDED", "REJECTED", "FAILED_FINAL"]);

/** Each answers with a sentence for every case that breaks it. */
const RULES: { [rule: string]: (facts: Facts) => string[] } = {
  "exactly as many succeed as there are places or entrants": checkPlaces,
  "winners are the first tickets": checkOrder,
  "one request for each person, the same for every repeat": checkOnePerPerson,
  "every 202 ends": checkEveryEnd,
  "tickets are unique and never change, and queuedAt never runs backwards": checkTickets,
  "places taken are requests that succeeded": checkCapacity,
  "each winner becomes a runner once, in the order of tickets": checkRunners,
};

export function findBreaches(facts: Facts): Breach[] {
  return Object.entries(RULES).flatMap(([rule, check]) => {
    const cases = check(facts);
    return cases.length > 0 ? [{ rule, count: cases.length, example: cases[0] as string }] : [];
  });
}

/** Winners behind somebody in line who was turned away for want of a place. */
export function countInversions(requests: ListedRequest[]): number {
  const turnedAway = requests.filter(({ resultCode }) => resultCode === "REJECTED_CAPACITY");
  const first = turnedAway.toSorted(byTicket)[0]?.ticket ?? Number.POSITIVE_INFINITY;
  return winnersOf(requests).filter(({ ticket }) => ticket === null || ticket > first).length;
}

function winnersOf(requests: ListedRequest[]): ListedRequest[] {
  return requests.filter(({ status }) => status === "SUCCEEDED");
}

/** Who failed for good was never in a position to take a place. */
function entrantsOf(requests: ListedRequest[]): ListedRequest[] {
  return requests.filter(({ status }) => status !== "FAILED_FINAL");
}

function byTicket(a: { ticket: number | null }, b: { ticket: number | null }): number {
  return (a.ticket ?? 0) - (b.ticket ?? 0);
}

function checkPlaces({ places, requests }: Facts): string[] {
  const expected = Math.min(places, entrantsOf(requests).length);
  const found = winnersOf(requests).length;
  return found === expected ? [] : [`${found} requests succeeded, not ${expected}.`];
}

function checkOrder({ places, requests }: Facts): string[] {
  const line = entrantsOf(requests).toSorted(byTicket);
  const wrong = line.filter(({ status }, n) => (status === "SUCCEEDED") !== n < places);
  return wrong.map(({ requestId, status, ticket }) => `${requestId} with ticket ${ticket} is ${status}.`);
}

function checkOnePerPerson({ answers, requests }: Facts): string[] {
  const known = new Map<string, string>();
  const wrong: string[] = [];
  for (const { userId, requestId } of requests) {
    const other = known.get(userId);
    if (other === undefined) known.set(userId, requestId);
    else wrong.push(`${userId} has the requests ${other} and ${requestId}.`);
  }
  for (const { userId, status, requestId } of answers) {
    if (status !== 202 || requestId === known.get(userId)) continue;
    wrong.push(`${userId} was told of request ${requestId}, but has ${known.get(userId) ?? "none"}.`);
  }
  return wrong;
}

function checkEveryEnd({ answers, requests, deadLetters }: Facts): string[] {
  const ended = new Set(requests.flatMap(({ requestId, status }) => (FINAL.has(status) ? [requestId] : [])));
  const ends = new Set([...ended, ...deadLetters]);
  const lost = answers.filter(({ status, requestId }) => status === 202 && !ends.has(requestId ?? ""));
  const unanswered = answers.filter(({ status }) => status !== 202);
  return [
    ...lost.map(({ userId, requestId }) => `${requestId} of ${userId} has no end.`),
    ...unanswered.map(({ userId, status }) => `${userId} was answered ${status || "nothing"}.`),
  ];
}

function checkTickets({ answers, requests, summary }: Facts): string[] {
  const byId = new Map(requests.map((request) => [request.requestId, request]));
  const changed = answers.filter(({ requestId, ticket, queuedAt }) => {
    const listed = byId.get(requestId ?? "");
    return listed && ((ticket ?? listed.ticket) !== listed.ticket || (queuedAt ?? listed.queuedAt) !== listed.queuedAt);
  });
  const seen = new Set(requests.map(({ ticket }) => ticket));
  const given = seen.size + summary.voided;
  return [
    ...changed.map(({ requestId, ticket }) => `${requestId} was told of ticket ${ticket}, and has another now.`),
    ...(seen.size === requests.length ? [] : [`${requests.length} requests have ${seen.size} tickets.`]),
    ...(given === summary.tickets ? [] : [`${summary.tickets} tickets were given, but ${given} are known.`]),
    ...requests.flatMap(wrongTicket),
    ...backwards(requests.toSorted(byTicket), "in the order of tickets"),
    ...backwards(requests, "in the list"),
  ];
}

function wrongTicket({ requestId, ticket }: ListedRequest): string[] {
  return Number.isInteger(ticket) && (ticket as number) > 0 ? [] : [`${requestId} has the ticket ${ticket}.`];
}

function backwards(line: ListedRequest[], where: string): string[] {
  return line.flatMap(({ requestId, queuedAt }, n) => {
    const before = line[n - 1]?.queuedAt ?? 0;
    return queuedAt !== null && queuedAt >= before ? [] : [`${requestId} was queued before the one ahead ${where}.`];
  });
}

function checkCapacity({ places, requests, summary }: Facts): string[] {
  const { capacityTotal, capacityRemaining, byStatus } = summary;
  const listed = Object.groupBy(requests, ({ status }) => status);
  const statuses = new Set([...Object.keys(byStatus), ...Object.keys(listed)]);
  const miscounted = [...statuses].filter((status) => (byStatus[status] ?? 0) !== (listed[status]?.length ?? 0));
  const taken = capacityTotal - capacityRemaining;
  return [
    ...(taken === winnersOf(requests).length ? [] : [`${taken} places are taken by ${winnersOf(requests).length}.`]),
    ...(capacityTotal === places ? [] : [`There are ${capacityTotal} places instead of ${places}.`]),
    ...miscounted.map(
      (status) => `${byStatus[status] ?? 0} are counted as ${status}, but ${listed[status]?.length ?? 0} are.`,
    ),
  ];
}

function checkRunners({ requests, runners }: Facts): string[] {
  const winners = winnersOf(requests).toSorted(byTicket);
  const inOrder = runners.toSorted((a, b) => numberOf(a.bib) - numberOf(b.bib));
  if (winners.length !== inOrder.length) return [`${winners.length} won, but there are ${inOrder.length} runners.`];
  return winners.flatMap(({ userId }, n) =>
    inOrder[n]?.userId === userId ? [] : [`Bib ${inOrder[n]?.bib} belongs to ${inOrder[n]?.userId}, not ${userId}.`],
  );
}

function numberOf(bib: string): number {
  return Number(bib.replaceAll(/\D/g, ""));
}
