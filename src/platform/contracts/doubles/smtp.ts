/** A mail server on this machine that takes letters and keeps them, and answers as a test says. */

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type Received = { from: string; to: string[]; raw: string };

/** Replies to a command, or to the "." at a letter's end; `undefined` is the usual reply, `""` none at all. */
export type Reply = (command: string) => string | undefined;

export type Smtp = { host: string; commands: string[]; received: Received[]; stop(): Promise<void> };

export async function startSmtp(reply: Reply = () => undefined): Promise<Smtp> {
  const commands: string[] = [];
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const session = openSession({ reply, commands, received });
    socket.write("220 mail.example ready\r\n");
    let rest = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const said of lines.map(session).filter(Boolean)) socket.write(`${said}\r\n`);
    });
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    commands,
    received,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Parts = { reply: Reply; commands: string[]; received: Received[] };

/** Takes a session's lines one by one and answers what to say to each. */
function openSession({ reply, commands, received }: Parts): (line: string) => string {
  let envelope = { from: "", to: [] as string[] };
  let letter: string[] | undefined;
  const endLetter = (lines: string[]) => {
    const said = reply(".") ?? "250 Taken";
    if (said.startsWith("2")) received.push({ ...envelope, raw: lines.join("\r\n") });
    letter = undefined;
    return said;
  };
  return (line) => {
    if (letter) {
      if (line === ".") return endLetter(letter);
      letter.push(line.replace(/^\./, ""));
      return "";
    }
    commands.push(line);
    const said = reply(line) ?? usualReply(line, envelope.to);
    if (!/^[23]/.test(said)) return said;
    const address = /<(.*)>/.exec(line)?.[1] ?? "";
    if (line.startsWith("MAIL FROM:")) envelope = { from: address, to: [] };
    if (line.startsWith("RCPT TO:")) envelope.to.push(address);
    if (line === "DATA") letter = [];
    return said;
  };
}

function usualReply(line: string, to: string[]): string {
  const verb = line.split(/[ :]/)[0] ?? "";
  if (verb === "EHLO") return "250-mail.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 AUTH PLAIN";
  if (verb === "AUTH") return "235 Welcome";
  if (verb === "DATA") return to.length > 0 ? "354 Go on" : "503 Nobody to send it to";
  if (verb === "QUIT") return "221 Goodbye";
  return ["MAIL", "RCPT", "RSET", "NOOP"].includes(verb) ? "250 Fine" : "502 Unknown command";
}
