/** Checks a draw in the browser: that of the event in the address, or that of a proof file. */

import { begin, onAgain, onFile, showDownloads, showFacts, showPromise, showRankForm } from "/draw-show.js";
import { verifyDraw } from "/verify-draw.mjs";

const LARGEST_PROOF_BYTES = 128 * 1024 * 1024;
/** What an event says before its draw, which the proof must not contradict. */
const PROMISED = ["eventId", "commitment", "committedAt", "beaconSource", "frozenAt", "entrantCount", "entrantsSha256"];

const eventId = new URLSearchParams(location.search).get("event");
const ready = ensureCrypto();

onFile(checkFile);
onAgain(checkEvent);
if (eventId) checkEvent();

async function checkEvent() {
  const run = begin(eventId, "Looking for the draw");
  try {
    const answer = await ask("/draw");
    if (answer.status === 404) return run.end("missing", "No such draw", `There is no draw of an event ${eventId}.`);
    const draw = await (await accepted(answer)).json();
    run.name(await nameOf(draw.eventId));
    showDownloads(draw);
    if (draw.phase !== "ANNOUNCED") return showPromise(run, draw);
    run.say("Loading the proof");
    const proof = await accepted(await ask("/draw/proof.json"));
    await check(run, await proof.text(), draw);
  } catch (error) {
    run.end("troubled", "Not checked", error.message, { isWorthAnotherTry: true });
  }
}

async function checkFile(file) {
  const run = begin(file.name, "Reading the file");
  try {
    if (file.size > LARGEST_PROOF_BYTES)
      run.end("differs", "No proof", "This file is larger than any proof of a draw.");
    else await check(run, await file.text());
  } catch (error) {
    run.end("troubled", "Not checked", error.message);
  }
}

async function check(run, text, published) {
  run.say("Computing");
  await ready;
  const startedAt = performance.now();
  const report = await verifyDraw(text, run.progress);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (!run.isLatest()) return;
  const { verdict, sentence, facts } = report;
  if (verdict === "unreadable") return run.end("differs", "No proof", `This is no proof of a draw. ${sentence}`);
  showFacts(facts);
  const difference = verdict === "differs" ? sentence : published && findContradiction(facts, published);
  if (difference) return run.end("differs", "Differs", difference);
  if (!published) run.name(facts.eventId);
  run.end("verified", "Verified", `${summaryOf(facts)} Your browser took ${seconds} s to compute it.`);
  showRankForm(report);
}

function findContradiction(facts, { entrants: entrantCount, ...published }) {
  const said = { ...published, entrantCount };
  const name = PROMISED.find((each) => said[each] !== facts[each]);
  return name && `${name}: the event published ${said[name]}, and its proof says ${facts[name]}.`;
}

function summaryOf({ entrantCount, capacityTotal }) {
  if (entrantCount === 0) return "Nobody entered, so there was nothing to draw.";
  const [ranks, places] = [entrantCount, capacityTotal].map((count) => count.toLocaleString("en"));
  return `All ${ranks} ranks for ${places} places are as they must be.`;
}

/** Browsers keep their own SHA-256 from pages on plain http, as on race day in a local network. */
async function ensureCrypto() {
  if (crypto.subtle) return;
  const { subtle } = await import("/draw-sha256.js");
  Object.defineProperty(crypto, "subtle", { value: subtle });
}

async function ask(path) {
  try {
    return await fetch(`/api/events/${encodeURIComponent(eventId)}${path}`);
  } catch {
    throw new Error("The server can't be reached. Check your connection.");
  }
}

async function accepted(answer) {
  if (answer.ok) return answer;
  const { detail } = await answer.json().catch(() => ({}));
  throw new Error(detail ?? `The server answered ${answer.status}. Try again later.`);
}

/** The id does where there is no name. */
async function nameOf(id) {
  const answer = await ask("").catch(() => undefined);
  return answer?.ok ? (await answer.json()).name : id;
}
