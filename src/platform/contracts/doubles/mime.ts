/** Reads a letter out of the bytes a mail server got, apart from the code that wrote them. */

/** `raw` has a character per byte; the letter's lines end as they do in programs. */
export function readMime(raw: string): { headers: Map<string, string>; text: string } {
  const end = raw.indexOf("\r\n\r\n");
  const unfolded = raw.slice(0, end).replace(/\r\n[ \t]+/g, " ");
  const headers = new Map(
    unfolded.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    }),
  );
  const text = decodeBody(raw.slice(end + 4), headers.get("content-transfer-encoding"));
  return { headers, text: text.replaceAll("\r\n", "\n") };
}

function decodeBody(body: string, encoding: string | undefined): string {
  if (encoding === "7bit") return body;
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding === "quoted-printable") return decodeQuoted(body.replace(/=\r\n/g, ""));
  throw new Error(`A letter came in an encoding that is not read here: ${encoding}`);
}

/** What is not ASCII in a header, as RFC 2047 has it. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === "b" ? Buffer.from(word, "base64").toString() : decodeQuoted(word.replaceAll("_", " ")),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
