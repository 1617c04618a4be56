/** What may be an id or a bib: keys, paths and file names are built from them, so nothing that separates their parts. */

import { z } from "zod";

// \p{DI} is what no font shows: fillers and variation selectors are letters and marks, and would make twins.
const ID = /^(?!.*\p{DI})[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;
const USER_ID = /^(?!.*\p{DI})[\p{L}\p{N}][\p{L}\p{M}\p{N}.@+_-]{0,127}$/u;
const BIB = /^(?!.*\p{DI})[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,11}$/u;

/** Composed characters and their single-character twins are the same id: what looks alike must not be two rows. */
const id = (what: string, example: string) =>
  z
    .string()
    .normalize("NFC")
    .regex(ID, `${what} has 1 to 64 letters, digits, ".", "_" or "-", and begins with a letter or a digit.`)
    .meta({ example });

export const OrganizationId = id("An organization's id", "han-river-runners");
export const EventId = id("An event's id", "han-river-10k-2027");
export const PhotographerId = id("A photographer's id", "minji-kim");

export const UserId = z
  .string()
  .normalize("NFC")
  .regex(USER_ID, 'A user\'s id has 1 to 128 letters, digits, ".", "@", "+", "_" or "-".')
  .meta({ example: "u_8f3kq0" });

/** Full-width digits from a Korean keyboard are the same number. */
export const Bib = z
  .string()
  .normalize("NFKC")
  .trim()
  .toUpperCase()
  // A capital can come in parts: that of ΐ has three.
  .normalize("NFKC")
  .regex(BIB, 'A bib has 1 to 12 letters, digits or "-", such as 1024 or A37.')
  .meta({ example: "1024" });
