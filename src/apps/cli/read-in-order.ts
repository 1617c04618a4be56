/** Works on several things at once, and gives the results in the things' order. */

/** So many results may wait for a slow one before them; more would only fill the memory. */
const MOST_AHEAD = 10_000;

export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const left = items[Symbol.iterator]();
  const results: Promise<Result>[] = [];
  let running = 0;
  const start = (item: Item) => {
    running += 1;
    const result = work(item).finally(() => {
      running -= 1;
      advance();
    });
    // A failure is told when its turn comes.
    result.catch(() => {});
    results.push(result);
  };
  let isOver = false;
  const advance = () => {
    while (!isOver && running < atOnce && results.length < MOST_AHEAD) {
      const next = left.next();
      if (next.done) return;
      start(next.value);
    }
  };
  try {
    advance();
    while (results.length > 0) {
      yield await (results[0] as Promise<Result>);
      results.shift();
      advance();
    }
  } finally {
    isOver = true;
    await Promise.allSettled(results);
  }
}
