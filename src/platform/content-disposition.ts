/** The header that makes browsers save a download under a name, whatever characters the name has (RFC 6266). */

export function attachment(fileName: string): string {
  const name = fileName.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  const plain = name.replace(/[^\x20-\x7e]/gu, "_").replace(/"/g, "'");
  const header = `attachment; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${extended(name)}`;
}

/** RFC 5987 has fewer plain characters than encodeURIComponent leaves alone. */
function extended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
