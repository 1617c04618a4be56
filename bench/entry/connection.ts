/** One keep-alive connection that sends ready-made requests and reads just enough of the answers: the generator's share of the two cores must stay small. */

import { connect, type Socket } from "node:net";

const RECONNECT_MS = 150;
const BUFFER_BYTES = 16_384;

export type Address = { host: string; port: number };

export type Listener = {
  idle(connection: Connection): void;
  answered(click: number, status: number, body: string): void;
  /** The connection broke before the answer was whole. */
  broken(click: number): void;
};

export type Connection = {
  isIdle(): boolean;
  send(click: number, request: Buffer): void;
  close(): void;
};

const NOTHING = -1;

/** Connects by itself, again and again while the server is away. */
export function openConnection(at: Address, listener: Listener): Connection {
  let socket: Socket | undefined;
  let click = NOTHING;
  let received = "";
  let isOpen = false;
  let isClosed = false;
  const open = () => {
    if (!isClosed) socket = connectTo(at, { opened, bytes, gone });
  };
  const opened = () => {
    isOpen = true;
    listener.idle(connection);
  };
  const bytes = (text: string) => {
    received += text;
    const reply = readReply(received);
    if (reply === undefined || click === NOTHING) return;
    const answered = click;
    click = NOTHING;
    received = "";
    listener.answered(answered, reply.status, reply.body);
    listener.idle(connection);
  };
  const gone = () => {
    const lost = click;
    isOpen = false;
    click = NOTHING;
    received = "";
    if (lost !== NOTHING) listener.broken(lost);
    setTimeout(open, RECONNECT_MS * (0.5 + Math.random()));
  };
  const connection: Connection = {
    isIdle: () => isOpen && click === NOTHING,
    send: (next, request) => {
      click = next;
      socket?.write(request);
    },
    close: () => {
      isClosed = true;
      socket?.destroy();
    },
  };
  open();
  return connection;
}

/** Into a buffer of its own: a new one for each answer would cost as much as the rest. */
function connectTo(at: Address, on: { opened(): void; bytes(text: string): void; gone(): void }): Socket {
  const callback = (size: number, buffer: Uint8Array) => {
    on.bytes((buffer as Buffer).toString("latin1", 0, size));
    return true;
  };
  const socket = connect({ ...at, noDelay: true, onread: { buffer: Buffer.allocUnsafe(BUFFER_BYTES), callback } });
  socket.on("connect", on.opened);
  // A refused or reset connection is closed too, and that is where it is dealt with.
  socket.on("error", () => {});
  socket.on("close", on.gone);
  return socket;
}

/** Nothing while the answer is not whole yet. */
function readReply(text: string): { status: number; body: string } | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = text.slice(0, end).toLowerCase();
  const status = Number(head.slice(9, 12));
  const rest = text.slice(end + 4);
  const at = head.indexOf("\r\ncontent-length: ");
  if (at !== -1) return rest.length >= Number.parseInt(head.slice(at + 18), 10) ? { status, body: rest } : undefined;
  if (!head.includes("\r\ntransfer-encoding: chunked")) return { status, body: "" };
  return rest.endsWith("0\r\n\r\n") ? { status, body: joinChunks(rest) } : undefined;
}

function joinChunks(text: string): string {
  let body = "";
  let at = 0;
  for (;;) {
    const line = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, line), 16);
    if (!(size > 0)) return body;
    body += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
