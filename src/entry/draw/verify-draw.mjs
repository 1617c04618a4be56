/**
 * Checks the draw of a SnapRace lottery by doing it again from its proof file. It needs nothing but Node 20 or later:
 *   node verify-draw.mjs proof.json [--request REQUEST_ID]      with --request, it also tells that request's rank
 * It ends with 0 if all of this is so, with 1 if not (it names the first line that differs), with 2 if it can't tell:
 *   commitment      is the SHA-256 of eventId, a line break and seed. It was published before entries opened, so that
 *                   the seed could not be chosen to suit anybody. Compare it with what you saw then.
 *   entrantsSha256  is the SHA-256 of all lines "ticket hash". It was published before the draw, so that nobody could
 *                   be added or left out. Your hash is the SHA-256 of eventId, a line break and your request's id.
 *   factsSha256     is the SHA-256 of all other fields but the two lists, as JSON: none was changed by mistake.
 *   order           is everybody by the HMAC-SHA-256 of their hash, smallest first. The key is the seed, or with a
 *                   public beacon the SHA-256 of seed, a line break and beaconValue. The first capacityTotal win.
 */

/** `given` is a proof's text, or what JSON.parse makes of it; `onProgress` hears how many entrants are ranked. */
export async function verifyDraw(given, onProgress = () => {}) {
  let facts;
  try {
    const proof = typeof given === "string" ? JSON.parse(given.replace(/^\ufeff/, "")) : given;
    facts = readFacts(proof);
    checkEntrants(proof);
    must(proof, "commitment", await sha256(`${proof.eventId}\n${proof.seed}`));
    must(proof, "entrantCount", proof.entrants.length);
    must(proof, "entrantsSha256", await sha256(proof.entrants.map(([ticket, hash]) => `${ticket} ${hash}\n`).join("")));
    must(proof, "factsSha256", await sha256(JSON.stringify(facts)));
    await checkOrder(proof, onProgress);
    const sentence = `The draw is as it must be: ${proof.entrantCount} entrants for ${proof.capacityTotal} places.`;
    return { verdict: "verified", sentence, facts, rankOf: (requestId) => rankOf(proof, requestId) };
  } catch ({ message, cause: { field, index } = {} }) {
    const line = lineOf(given, field, index);
    const where = field ? `${field}${line ? ` (line ${line})` : ""}: ` : "";
    const verdict = facts && field ? "differs" : "unreadable";
    return { verdict, sentence: `${where}${message.slice(0, 300).replace(/\p{C}+/gu, " ")}.`, line, facts };
  }
}

function must(proof, field, value) {
  if (proof[field] !== value) throw wrong(field, `the proof says ${proof[field]}, and it must be ${value}`);
}

function readFacts(proof) {
  const check = (form, ...fields) => {
    const field = fields.find((name) => !form.test(JSON.stringify(proof?.[name])));
    if (field) throw wrong(field, "it is missing, or not as in a proof of a draw");
  };
  check(/^1$/, "version");
  check(/^".+"$/, "eventId");
  check(/^\d{1,15}$/, "capacityTotal", "committedAt", "frozenAt", "drawnAt", "entrantCount");
  check(/^"[0-9a-f]{64}"$/, "commitment", "seed", "entrantsSha256", "factsSha256");
  check(proof.beaconSource === null ? /^null$/ : /^".+"$/, "beaconSource", "beaconValue");
  check(/^\[/, "entrants", "order");
  const { factsSha256, entrants, order, ...facts } = proof;
  return facts;
}

function checkEntrants({ entrants }) {
  const hashes = new Set();
  for (const [index, entry] of entrants.entries()) {
    const isEntrant = /^\[\d{1,15},"[0-9a-f]{64}"\]$/.test(JSON.stringify(entry)) && !hashes.has(entry[1]);
    const isNext = isEntrant && entry[0] > (index === 0 ? 0 : entrants[index - 1][0]);
    if (!isNext) throw wrong("entrants", "here must be a ticket above the one before, and a hash of its own", index);
    hashes.add(entry[1]);
  }
}

async function checkOrder({ entrants, order, seed, beaconValue }, onProgress) {
  const secret = utf8(beaconValue === null ? seed : await sha256(`${seed}\n${beaconValue}`));
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const rank = async ([ticket, hash]) => ({ ticket, key: hex(await crypto.subtle.sign("HMAC", key, utf8(hash))) });
  const drawn = [];
  while (drawn.length < entrants.length) {
    drawn.push(...(await Promise.all(entrants.slice(drawn.length, drawn.length + 1000).map(rank))));
    onProgress(drawn.length, entrants.length);
  }
  drawn.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const [index, { ticket }] of drawn.entries()) {
    const said = JSON.stringify(order[index]) ?? "nothing";
    const message = `the draw gives rank ${index + 1} to ticket ${ticket}, and the proof says ${said}`;
    if (said !== `[${index + 1},${ticket}]`) throw wrong("order", message, index);
  }
  if (order.length > drawn.length) throw wrong("order", "here are more ranks than entrants", drawn.length);
}

async function rankOf({ eventId, entrants, order, capacityTotal }, requestId) {
  const mine = await sha256(`${eventId}\n${requestId.trim().toUpperCase()}`);
  const ticket = entrants.find(([, hash]) => hash === mine)?.[0];
  const rank = order.findIndex((entry) => entry[1] === ticket) + 1;
  return rank > 0 ? { ticket, rank, won: rank <= capacityTotal } : undefined;
}

/** In a proof, each field and each entry of a list has a line of its own. */
function lineOf(given, field, index = -1) {
  const lines = String(given).split("\n");
  const line = lines.findIndex((text) => text.trimStart().startsWith(`"${field}":`)) + index + 1;
  return (index < 0 ? /^\s*"/ : /^\s*\[.*\]/).test(lines[line]) ? line + 1 : undefined;
}

const wrong = (field, message, index) => new Error(message, { cause: { field, index } });
const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", utf8(text)));

async function main({ readFileSync }, { parseArgs }) {
  const { values, positionals } = parseArgs({ options: { request: { type: "string" } }, allowPositionals: true });
  const { verdict, sentence, facts, rankOf } = await verifyDraw(readFileSync(positionals[0] ?? "proof.json", "utf8"));
  console.log(`${verdict}: ${sentence}`);
  if (verdict !== "verified") return verdict === "differs" ? 1 : 2;
  for (const [name, value] of Object.entries(facts)) console.log(`  ${name}: ${JSON.stringify(value)}`);
  if (values.request === undefined) return 0;
  const mine = await rankOf(values.request);
  const place = mine && `Ticket ${mine.ticket} has rank ${mine.rank}: ${mine.won ? "a place" : "in reserve"}.`;
  console.log(place ?? `There is no request ${values.request} in this draw.`);
  return mine ? 0 : 1;
}

const fs = globalThis.process?.argv[1] && (await import("node:fs"));
const started = fs?.existsSync(process.argv[1]) && fs.realpathSync(process.argv[1]).replaceAll("\\", "/");
if (started && decodeURIComponent(import.meta.url).endsWith(started)) {
  process.exitCode = await main(fs, await import("node:util")).catch((e) => console.error(e.message) ?? 2);
}
