/** What is known of a runner in an event, and what each field may hold, whether it comes by HTTP or in a file. */

import { z } from "zod";
import { Bib, UserId } from "../../platform/ids.ts";

const MAX_AGE = 130;
const MAX_TIMING_RESULT_CHARACTERS = 4000;
const AGE_SENTENCE = `Give a whole number from 0 to ${MAX_AGE}.`;

// Half a surrogate pair and the two line separators would be as surprising in a list of names as a control character.
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;
const FINISH_TIME = /^(?:(\d{1,2}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?)?$/;
// PostgreSQL's jsonb takes neither NUL nor half a surrogate pair; JSON.stringify writes both as escapes.
const NOT_FOR_JSONB = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

export const RunnerFields = z.strictObject({
  bib: Bib,
  name: textOf(200),
  /** Spreadsheets drop the first zero and the last ones: 3:25:10.5 is 03:25:10.500. */
  finishTime: z
    .string()
    .normalize("NFKC")
    .trim()
    .regex(FINISH_TIME, "Give it as HH:MM:SS, such as 03:25:10 or 03:25:10.250.")
    .transform((text) => text.replace(FINISH_TIME, fullTime) || null)
    .nullable(),
  gender: textOf(20),
  age: z.int(AGE_SENTENCE).min(0, AGE_SENTENCE).max(MAX_AGE, AGE_SENTENCE).nullable(),
  team: textOf(200),
  timingResult: z
    .unknown()
    .refine(
      isTimingResult,
      `Give JSON of at most ${MAX_TIMING_RESULT_CHARACTERS} characters, without the character U+0000.`,
    ),
  userId: UserId.nullable(),
});

/** `finishTime` is "HH:MM:SS" or "HH:MM:SS.mmm"; `timingResult` is any JSON. */
export type Runner = z.output<typeof RunnerFields>;

function textOf(maxCharacters: number) {
  return z
    .string()
    .trim()
    .normalize("NFC")
    .max(maxCharacters, `Give at most ${maxCharacters} characters.`)
    .regex(ONE_LINE, "Write it in one line, without control characters.")
    .transform((text) => text || null)
    .nullable();
}

function fullTime(time: string, hours = "", minutes = "", seconds = "", fraction?: string): string {
  if (time === "") return "";
  const whole = `${hours.padStart(2, "0")}:${minutes}:${seconds}`;
  return fraction === undefined ? whole : `${whole}.${fraction.padEnd(3, "0")}`;
}

/** The length is that of the JSON text, so that what was exported can be imported again. */
function isTimingResult(value: unknown): boolean {
  try {
    const json = JSON.stringify(value);
    return json !== undefined && json.length <= MAX_TIMING_RESULT_CHARACTERS && !NOT_FOR_JSONB.test(json);
  } catch {
    // Nested so deep that it can't be written.
    return false;
  }
}
