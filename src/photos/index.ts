/** Photos as the apps see them. */

export {
  type BibReading,
  type BibRules,
  DEFAULT_MIN_CONFIDENCE,
  DEFAULT_WATERMARK_ZONES,
  readBibs,
} from "./bibs.ts";
