/** What fauxqs lacks of uploads in parts: the list of their parts, and that an upload is of one bucket and key. */

import type { buildApp } from "fauxqs";

const PARTS_PER_PAGE = 1000;

type App = ReturnType<typeof buildApp>;
type Part = { sizeBytes: number; etag: string };
type Query = { [name: string]: string | undefined };

export function keepUploads(app: App): void {
  const uploads = new Map<string, { path: string; parts: Map<number, Part> }>();
  const pathOf = (url: string) => decodeURIComponent(url.split("?")[0] ?? "");

  app.addHook("preHandler", async (request, reply) => {
    const { uploadId, ...query } = request.query as Query;
    if (uploadId === undefined) return;
    const upload = uploads.get(uploadId);
    reply.header("content-type", "application/xml");
    if (upload?.path !== pathOf(request.url)) {
      return reply.code(404).send("<Error><Code>NoSuchUpload</Code><Message>There is no such upload</Message></Error>");
    }
    if (request.method === "GET") return reply.send(listOf(upload.parts, query));
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const { uploads: begins, uploadId = "", partNumber } = request.query as Query;
    if (reply.statusCode >= 300) return;
    const begun = begins !== undefined && /<UploadId>(.+)<\/UploadId>/.exec(String(payload))?.[1];
    if (begun) uploads.set(begun, { path: pathOf(request.url), parts: new Map() });
    if (request.method === "PUT" && partNumber !== undefined) {
      const { length: sizeBytes } = request.body as Buffer;
      uploads.get(uploadId)?.parts.set(Number(partNumber), { sizeBytes, etag: String(reply.getHeader("etag")) });
    }
    if (request.method === "POST" || request.method === "DELETE") uploads.delete(uploadId);
  });
}

function listOf(parts: Map<number, Part>, query: Query): string {
  const marker = Number(query["part-number-marker"] ?? 0);
  const after = [...parts].filter(([part]) => part > marker).sort(([a], [b]) => a - b);
  const page = after.slice(0, PARTS_PER_PAGE);
  const listed = page.map(
    ([part, { sizeBytes, etag }]) =>
      `<Part><PartNumber>${part}</PartNumber><Size>${sizeBytes}</Size><ETag>${etag.replaceAll('"', "&quot;")}</ETag></Part>`,
  );
  const next = `<NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker>`;
  const isTruncated = `<IsTruncated>${after.length > page.length}</IsTruncated>`;
  return `<ListPartsResult>${isTruncated}${next}${listed.join("")}</ListPartsResult>`;
}
