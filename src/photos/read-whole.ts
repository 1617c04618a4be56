/** An object's bytes in one piece. */

/** Node's own way goes through a Blob, which copies everything once more and leaves much to collect. */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
