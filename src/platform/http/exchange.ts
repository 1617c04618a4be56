/** A request and its answer as plain values: what the API works with, whatever carries them. */

/** Names are in small letters. */
export type HeaderFields = { [name: string]: string | string[] };

export type Incoming = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** From its question mark on; empty where there is none. */
  readonly query: string;
  header(name: string): string | undefined;
  headers(): Headers;
  /** Scheme and host as the caller wrote them. */
  origin(): string;
  body(): AsyncIterable<Uint8Array> | undefined;
  /** Aborts when the caller does not wait any more. */
  gone(): AbortSignal;
  /** The address at the other end of the connection. */
  peer(): string | undefined;
};

export type Outgoing = { status: number; headers: HeaderFields; body?: string | ReadableStream<Uint8Array> };
