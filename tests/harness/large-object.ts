/** A process that uploads and downloads 200 MB through signed URLs of its own server, and prints how its memory grew. */

import { openEmbeddedSubject } from "../../src/platform/embedded/subject.ts";

const sizeBytes = 200_000_000;
const piece = new Uint8Array(1_000_000).fill(7);

async function* pieces() {
  for (let sent = 0; sent < sizeBytes; sent += piece.length) yield piece;
}

const subject = await openEmbeddedSubject();
const blobs = await subject.blobs();
await blobs.put("warm-up", piece, { contentType: "video/mp4" });
const before = process.memoryUsage.rss();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 10);

const upload = await blobs.signUpload({ key: "film", sizeBytes, contentType: "video/mp4", expiresInMs: 60_000 });
const request = new Request(upload.url, {
  method: upload.method,
  headers: { ...upload.headers, "content-length": String(sizeBytes) },
  body: ReadableStream.from(pieces()),
  duplex: "half",
} as RequestInit);
const answer = await fetch(request);
if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);

const download = await fetch(await blobs.signDownload({ key: "film", expiresInMs: 60_000 }));
let received = 0;
for await (const chunk of download.body ?? []) received += chunk.length;
clearInterval(watch);
const stored = (await blobs.head("film"))?.sizeBytes;
process.stdout.write(JSON.stringify({ sizeBytes: stored, received, grownMb: Math.round((most - before) / 1e6) }));
await subject.close();
