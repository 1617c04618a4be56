/** A database that lets something happen between reading rows and telling what they were, as it may at any time. */

import type { Kysely } from "kysely";

/** `work` hears of each finished read; it holds its answer back, and may fail in its place. */
export function afterReads<Schema>(db: Kysely<Schema>, work: (table: string) => Promise<void>): Kysely<Schema> {
  const reads = new WeakMap<object, string>();
  return db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (node.kind === "SelectQueryNode") reads.set(queryId, JSON.stringify(node.from));
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      const table = /"name":"(\w+)"/.exec(reads.get(queryId) ?? "")?.[1];
      if (table !== undefined) await work(table);
      return result;
    },
  });
}
