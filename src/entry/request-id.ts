/** A request's id: a ULID, which grows with time and can't be guessed. */

import { z } from "zod";

export const RequestId = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, "A request's id has 26 digits and capital letters.")
  .meta({ example: "01JD2QX5Y8V6M3T9K7R4W1ZP0N" });
