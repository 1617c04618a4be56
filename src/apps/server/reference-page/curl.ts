/** The curl command that calls an operation, ready to be pasted into a shell. */

import type { Media, Operation, Parameter } from "./document.ts";
import { exampleOf } from "./example.ts";
import type { Shape } from "./shape.ts";

export function curlCommand(operation: Operation, origin: string): string {
  const { method, parameters, body, needsToken } = operation;
  const media = body && preferredMedia(body.media);
  const lines = [
    `curl ${method === "GET" ? "" : method === "HEAD" ? "-I " : `-X ${method} `}${quoted(origin + target(operation))}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...parameters
      .filter(({ place, isRequired }) => place === "header" && isRequired)
      .map((header) => `-H ${quoted(`${header.name}: ${exampleFor(header)}`)}`),
    ...(media ? bodyLines(media) : []),
  ];
  return lines.join(" \\\n  ");
}

function target({ path, parameters }: Operation): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.place === "path" && each.name === name);
    return parameter ? encoded(parameter) : placeholder(name);
  });
  const query = parameters
    .filter(({ place, isRequired }) => place === "query" && isRequired)
    .map((parameter) => `${encodeURIComponent(parameter.name)}=${encoded(parameter)}`);
  return query.length > 0 ? `${filled}?${query.join("&")}` : filled;
}

function encoded(parameter: Parameter): string {
  return encodeURIComponent(exampleFor(parameter));
}

/** The example if there is one; a made-up value would look like one that works. */
function exampleFor({ name, shape }: Parameter): string {
  const { example, examples, default: usual, enum: choices, const: only } = shape.schema;
  const value = example ?? examples?.[0] ?? usual ?? only ?? choices?.[0];
  return value === undefined ? placeholder(name) : String(value);
}

/** `eventId` becomes `EVENT_ID`; braces would be read by curl itself. */
function placeholder(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").replace(/\W+/g, "_");
  return words.toUpperCase();
}

function preferredMedia(all: Media[]): Media | undefined {
  return all.find(({ type }) => isJson(type)) ?? all[0];
}

export function isJson(type: string): boolean {
  return /^application\/(.+\+)?json\b/.test(type);
}

function bodyLines({ type, shape, example }: Media): string[] {
  if (type === "multipart/form-data") return formLines(shape);
  const value = example ?? exampleOf(shape, { all: false });
  const contentType = `-H ${quoted(`Content-Type: ${type}`)}`;
  if (isJson(type)) return [contentType, `-d ${quoted(JSON.stringify(value ?? {}, null, 2))}`];
  const stated = example ?? shape.schema.example ?? shape.schema.examples?.[0];
  return [contentType, `--data-binary ${typeof stated === "string" ? quoted(stated) : `@${fileName(type)}`}`];
}

function formLines({ fields }: Shape): string[] {
  return fields.map(({ name, shape }) => {
    const isFile = shape.schema.format === "binary";
    return `-F ${quoted(`${name}=${isFile ? "@file" : exampleOf(shape, { all: false })}`)}`;
  });
}

/** `text/csv` is sent from `file.csv`; a type that names no kind of file, from `file`. */
function fileName(type: string): string {
  const kind = /^(?:text|image)\/([\w]+)/.exec(type)?.[1];
  return kind && kind !== "plain" ? `file.${kind}` : "file";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
