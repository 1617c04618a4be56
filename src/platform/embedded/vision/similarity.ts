/** How alike two faces are, from 0 to 1, out of the cosine between their embeddings. */

/** Of two strangers in race photos, about one pair in a thousand has a similarity of 0.8 or more. */
const EVEN_COSINE = 0.4;
const STEEPNESS = 14;

export function similarityOf(cosine: number): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (cosine - EVEN_COSINE)));
}

/** The cosine that has this similarity; of 0 and less, and of 1 and more, it is beyond every cosine. */
export function cosineOf(similarity: number): number {
  if (similarity <= 0) return -1;
  if (similarity >= 1) return 2;
  return EVEN_COSINE - Math.log(1 / similarity - 1) / STEEPNESS;
}
