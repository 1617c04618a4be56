/** How well embeddings tell people apart: the share of right pairs accepted where a given share of wrong ones is. */

/** A person's face; the same person's faces are of different pictures. */
export type PersonFace = { person: string; embedding: Float32Array };
export type Cosines = { same: Float64Array; different: Float64Array };

export function allPairs(faces: PersonFace[]): Cosines {
  const same: number[] = [];
  const different: number[] = [];
  for (const [index, a] of faces.entries()) {
    for (let other = index + 1; other < faces.length; other += 1) {
      const b = faces[other] as PersonFace;
      (a.person === b.person ? same : different).push(cosine(a.embedding, b.embedding));
    }
  }
  return { same: Float64Array.from(same).sort(), different: Float64Array.from(different).sort() };
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Accepted is what lies above the cosine of the first wrong pair that must not be. */
export function acceptedAt({ same, different }: Cosines, falseShare: number): { share: number; above: number } {
  const allowed = Math.floor(different.length * falseShare);
  const above = different[different.length - 1 - allowed] ?? Number.NaN;
  return { share: same.filter((value) => value > above).length / same.length, above };
}
