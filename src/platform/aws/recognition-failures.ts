/** What Rekognition's refusals mean in the words of the recognition port. */

import { tooLarge, unreadable } from "../picture-limits.ts";
import { Problem, type ProblemOptions } from "../problem.ts";
import { isNamed, orUnavailable } from "./failures.ts";

export function recognitionFailure(error: unknown): unknown {
  if (isNamed(error, "InvalidImageFormatException")) return unreadable(error);
  if (isNamed(error, "ImageTooLargeException") || isAboutDimensions(error)) return tooLarge(error);
  if (isNamed(error, "LimitExceededException")) return recognitionBusy({ cause: error });
  if (isNamed(error, "ServiceQuotaExceededException")) {
    const message = "The AWS account can keep no more faces or collections. Ask AWS for a higher quota of Rekognition.";
    return new Problem("misconfigured", "recognition.quota-reached", message, { cause: error });
  }
  return orUnavailable(error, "recognition.busy", "Amazon Rekognition");
}

export function recognitionBusy(options: ProblemOptions): Problem {
  const message = "More pictures are waiting than can be looked at. Try again in a moment.";
  return new Problem("unavailable", "recognition.busy", message, options);
}

/** Too many pixels are an invalid parameter like any other, told apart only by the sentence. */
function isAboutDimensions(error: unknown): boolean {
  return isNamed(error, "InvalidParameterException") && /exceed.*dimension/i.test(error.message);
}

/** Undefined where the collection is not there. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isNamed(error, "ResourceNotFoundException")) return undefined;
    throw error;
  }
}
