/** `snaprace upload`: photos from files and folders to an event. */

import { type Command, Option } from "commander";
import { EventId, PhotographerId } from "../../platform/ids.ts";
import { describe, onApi, parsedBy, wholeNumber } from "./command.ts";
import type { UploadOptions } from "./upload-photos.ts";

const MOST_AT_ONCE = 32;

export function addUpload(commands: Command): void {
  const upload = describe(
    commands.command("upload"),
    "Upload photos to an event. Run it again after a break: it goes on where it stopped, and sends no file twice.",
    [
      "upload finish-line --event han-river-10k",
      "upload IMG_0123.jpg IMG_0124.jpg --event han-river-10k --photographer minji-kim",
      "upload /media/card --event han-river-10k --at-once 8 --json",
    ],
  );
  upload
    .argument("<path...>", "photos, and folders with photos in them, also in folders inside of those")
    .addOption(new Option("--event <event>", "the event's id").argParser(parsedBy(EventId)).makeOptionMandatory())
    .addOption(
      new Option(
        "--photographer <id>",
        "whose photos they are (default: yours, if you are one; otherwise nobody's)",
      ).argParser(parsedBy(PhotographerId)),
    )
    .addOption(new Option("--at-once <n>", "send n files at once").argParser(wholeNumber(1, MOST_AT_ONCE)).default(4));
  onApi<[string[]], UploadOptions>(upload, async (call) => {
    const { uploadPhotos } = await import("./upload-photos.ts");
    return uploadPhotos(call);
  });
}
