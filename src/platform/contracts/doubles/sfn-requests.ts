/** What Step Functions demands of a request, and the errors it answers with. */

const MAX_INPUT_BYTES = 256 * 1024;

export type Input = { [field: string]: unknown };

export class SfnError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export function requireText(input: Input, field: string, maxLength: number): string {
  const value = input[field];
  if (typeof value === "string" && value.length > 0 && value.length <= maxLength) return value;
  throw new SfnError("ValidationException", `Value at '${field}' must have 1 to ${maxLength} characters`);
}

export function requireArn(input: Input, field: string, kind: "stateMachine" | "execution"): string {
  const arn = requireText(input, field, 256);
  const parts = kind === "stateMachine" ? "[^:]+" : "[^:]+:[^:]+";
  if (new RegExp(`^arn:aws:states:[a-z0-9-]+:\\d{12}:${kind}:${parts}$`).test(arn)) return arn;
  throw new SfnError("InvalidArn", `Invalid Arn: '${arn}'`);
}

export function parseName(input: Input): string {
  const name = requireText(input, "name", 80);
  if (!/[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u.test(name)) return name;
  throw new SfnError("InvalidName", `Invalid Name: '${name}'`);
}

export function parseInput({ input = "{}" }: Input): string {
  if (typeof input === "string" && Buffer.byteLength(input) <= MAX_INPUT_BYTES && isJson(input)) return input;
  throw new SfnError("InvalidExecutionInput", "Invalid State Machine Execution Input");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
