/** Makes every key of a text known to the compiler, from the English files. */

import type draw from "./en/draw.json";
import type entry from "./en/entry.json";
import type organizer from "./en/organizer.json";
import type photographer from "./en/photographer.json";
import type photos from "./en/photos.json";
import type runner from "./en/runner.json";
import type shared from "./en/shared.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shared";
    resources: {
      shared: typeof shared;
      runner: typeof runner;
      entry: typeof entry;
      draw: typeof draw;
      photos: typeof photos;
      photographer: typeof photographer;
      organizer: typeof organizer;
    };
  }
}
