/** What the draw page shows: the verdict as it comes, the facts, a person's own rank, and the ways to choose a file. */

const DAY = { day: "numeric", month: "long", year: "numeric" };
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };

const [verdict, mine, facts, file] = ["verdict", "mine", "facts", "file"].map((id) => document.getElementById(id));
const again = verdict.querySelector(".again");
const bar = verdict.querySelector("progress");

let latest = 0;

/** A check that is shown while it goes on. What an earlier one still has to say is not heard any more. */
export function begin(name, heading) {
  latest += 1;
  const number = latest;
  const isLatest = () => number === latest;
  const set = (selector, text) => {
    if (isLatest()) verdict.querySelector(selector).textContent = text;
  };
  const say = (title, sentence = "One moment.") => {
    set("h2", title);
    set(".sentence", sentence);
  };
  for (const part of [mine, facts, again]) part.hidden = true;
  verdict.hidden = bar.hidden = false;
  verdict.dataset.state = "busy";
  bar.removeAttribute("value");
  set(".band", name);
  say(heading);
  return {
    isLatest,
    say,
    name: (text) => set(".band", text),
    progress: (done, all) => {
      if (isLatest()) Object.assign(bar, { max: all, value: done });
    },
    end: (state, title, sentence, { isWorthAnotherTry = false } = {}) => {
      if (!isLatest()) return;
      say(title, sentence);
      verdict.dataset.state = state;
      bar.hidden = true;
      again.hidden = !isWorthAnotherTry;
      document.title = `SnapRace · ${title}`;
    },
  };
}

/** Before the announcement: what people can note now, to compare the proof with. */
export function showPromise(run, draw) {
  if (!run.isLatest()) return;
  const list = draw.frozenAt === null ? "The list of entrants is not fixed yet." : "The list of entrants is fixed.";
  const when = draw.announcedAt === null ? "later" : `on ${instant(draw.announcedAt)}`;
  run.end("waiting", "Not yet", `${list} The results come ${when}, and their proof with them.`, {
    isWorthAnotherTry: true,
  });
  fill("What is promised", "Keep it: the proof must say the same.", {
    Commitment: { code: draw.commitment, note: `published ${instant(draw.committedAt)}` },
    "Public beacon": { text: draw.beaconSource ?? "none" },
    ...(draw.frozenAt !== null && {
      Entrants: { text: counted(draw.entrants), note: `fixed ${instant(draw.frozenAt)}` },
      "Entrants' SHA-256": { code: draw.entrantsSha256 },
    }),
  });
}

export function showFacts(proof) {
  const { beaconSource, beaconValue } = proof;
  const noBeacon = { text: "none", note: "the seed alone decided" };
  fill("What the proof says", "Compare it with what was published before the draw.", {
    Event: { text: proof.eventId },
    Entrants: { text: counted(proof.entrantCount), note: `fixed ${instant(proof.frozenAt)}` },
    Places: { text: counted(proof.capacityTotal) },
    Commitment: { code: proof.commitment, note: `published ${instant(proof.committedAt)}` },
    "Entrants' SHA-256": { code: proof.entrantsSha256 },
    Seed: { code: proof.seed },
    "Public beacon": beaconSource === null ? noBeacon : { code: beaconValue, note: beaconSource },
    Drawn: { text: instant(proof.drawnAt) },
  });
}

function fill(title, hint, rows) {
  facts.querySelector("h2").textContent = title;
  facts.querySelector("p").textContent = hint;
  const lines = Object.entries(rows).map(([name, { text, code, note }]) => {
    const value = element("dd", code === undefined ? text : element("code", code));
    if (note) value.append(element("small", note));
    return element("div", element("dt", name), value);
  });
  facts.querySelector("dl").replaceChildren(...lines);
  facts.hidden = false;
}

export function showRankForm({ rankOf, facts: { entrantCount, capacityTotal } }) {
  const output = mine.querySelector(".rank");
  const say = (state, words) => {
    output.dataset.state = state;
    output.textContent = words;
  };
  say("", "");
  mine.hidden = entrantCount === 0;
  mine.onsubmit = async (event) => {
    event.preventDefault();
    const found = await rankOf(mine.querySelector("input").value);
    if (!found) return say("none", "There is no such request in this draw. Check the number.");
    const { ticket, rank, won } = found;
    const place = won ? "That is a place." : `That is number ${counted(rank - capacityTotal)} of the reserve.`;
    say(won ? "won" : "reserve", `Rank ${counted(rank)} of ${counted(entrantCount)}, with ticket ${ticket}. ${place}`);
  };
}

export function showDownloads({ eventId, phase, frozenAt }) {
  const offer = (id, name, isThere) => {
    const link = document.getElementById(id);
    link.href = `/api/events/${encodeURIComponent(eventId)}/draw/${name}`;
    link.hidden = !isThere;
  };
  offer("proof", "proof.json", phase === "ANNOUNCED");
  offer("entrants", "entrants.txt", frozenAt !== null);
  // Downloads of several draws would be in each other's way, so each is named after its event.
  document.querySelector("#elsewhere code").textContent = `node verify-draw.mjs proof-${eventId}.json`;
}

export function onAgain(look) {
  again.querySelector("button").addEventListener("click", () => look());
}

/** Chosen, or dropped anywhere on the page. */
export function onFile(take) {
  file.hidden = false;
  const takeFirst = ([first]) => first && take(first);
  file.querySelector("input").addEventListener("change", ({ target }) => {
    takeFirst(target.files);
    // So that the same file can be chosen again once it has changed.
    target.value = "";
  });
  const over = (isOver) => (event) => {
    event.preventDefault();
    file.toggleAttribute("data-over", isOver);
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", (event) => {
    over(false)(event);
    takeFirst(event.dataTransfer.files);
  });
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

const counted = (count) => count.toLocaleString("en");
const instant = (atMs) => new Date(atMs).toLocaleString("en", { ...DAY, ...CLOCK });
