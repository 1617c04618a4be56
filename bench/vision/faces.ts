/** How well faces are told apart: in pictures sorted by person, and in race photos by the runners' numbers. */

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { overlap } from "../../src/platform/embedded/vision/areas.ts";
import type { Seen, SeenFace } from "../../src/platform/embedded/vision/eye.ts";
import type { Box } from "../../src/platform/ports.ts";
import { atLeast, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { boxOfPlace } from "./places.ts";
import { readRacePhotos } from "./race-photos.ts";
import type { Section } from "./report.ts";
import type { Rig } from "./rig.ts";
import { acceptedAt, allPairs, type PersonFace } from "./verification.ts";

const GOAL = 0.97;
const LARGE_FACE_PIXELS = 45;
/** People draw the box around a face wider or narrower than a detector does. */
const MIN_OVERLAP = 0.2;
const TELL_EVERY = 200;

export async function measureFaces(rig: Rig): Promise<Section[]> {
  const rows = [...(await byPerson(rig)), ...(await byNumber(rig))];
  if (rows.length === 0) return [];
  const about =
    "The share of pairs of one person that are accepted at the cosine which accepts one in so many pairs of two people.";
  return [{ title: "Faces", about, rows, cases: [] }];
}

async function byPerson({ settings, eye }: Rig): Promise<Row[]> {
  const { facesFolder, oneIn } = settings;
  if (facesFolder === undefined) {
    progress("faces: skipped, there are no pictures. Set SNAPRACE_FACES to a folder with a folder per person.");
    return [];
  }
  const people = readdirSync(facesFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const chosen = people.map(({ name }) => name).sort();
  const pictures = chosen
    .filter((_, index) => index % oneIn === 0)
    .flatMap((person) => picturesIn(join(facesFolder, person)).map((file) => ({ person, file })));
  const faces: PersonFace[] = [];
  for (const [index, { person, file }] of pictures.entries()) {
    const [face] = (await eye.look(await readFile(file), "largest-face")).faces;
    if (face) faces.push({ person, embedding: face.embedding });
    if ((index + 1) % TELL_EVERY === 0) progress(`faces: ${index + 1} of ${pictures.length} pictures`);
  }
  const cosines = allPairs(faces);
  const [usual, strict] = [acceptedAt(cosines, 1e-3), acceptedAt(cosines, 1e-4)];
  const name = `faces by person (${cosines.same.length} pairs of one, ${cosines.different.length} of two)`;
  return [
    atLeast(`${name}: TAR at FAR 1e-3`, usual.share, "", GOAL),
    figure("faces by person: cosine for it", usual.above, ""),
    figure("faces by person: TAR at FAR 1e-4", strict.share, ""),
    figure("faces by person: cosine for it, at 1e-4", strict.above, ""),
    figure(`faces by person: found in ${pictures.length} pictures`, faces.length / pictures.length, ""),
  ];
}

function picturesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.jpe?g$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** A number worn in two photos is one person in both. All photos, always: few runners are in two of them. */
async function byNumber({ settings, eye, looks }: Rig): Promise<Row[]> {
  if (settings.bibsFolder === undefined) return [];
  const photos = await readRacePhotos(settings.bibsFolder);
  const found: (PersonFace & { heightPixels: number })[] = [];
  let labelled = 0;
  for (const photo of photos) {
    const seen = looks.get(photo.file) ?? (await eye.look(await readFile(photo.path), "faces"));
    labelled += photo.runners.length;
    for (const runner of photo.runners) {
      const face = faceAt(seen, boxOfPlace(runner.face, photo));
      if (face) found.push({ ...face, person: `${photo.event} ${runner.number}` });
    }
  }
  return [
    figure(`faces in race photos: found of ${labelled} labelled`, found.length / labelled, ""),
    ...raceRows("all", found),
    ...raceRows(
      `${LARGE_FACE_PIXELS} px and higher`,
      found.filter(({ heightPixels }) => heightPixels >= LARGE_FACE_PIXELS),
    ),
  ];
}

function faceAt(seen: Seen, wanted: Box): SeenFace | undefined {
  const nearness = (face: SeenFace) => overlap(face.box, wanted);
  const [best] = seen.faces.toSorted((a, b) => nearness(b) - nearness(a));
  return best && nearness(best) >= MIN_OVERLAP ? best : undefined;
}

function raceRows(which: string, faces: PersonFace[]): Row[] {
  const cosines = allPairs(faces);
  if (cosines.same.length === 0) return [];
  const { share, above } = acceptedAt(cosines, 1e-3);
  const name = `faces in race photos, ${which}`;
  const pairs = `${cosines.same.length} pairs of one, ${cosines.different.length} of two`;
  return [figure(`${name} (${pairs}): TAR at FAR 1e-3`, share, ""), figure(`${name}: cosine for it`, above, "")];
}
