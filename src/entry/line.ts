/** The line as it is stored: blocks of positions one after the other, tickets or, once a lottery is drawn, ranks. */

import type { Item, Page, Table } from "../platform/ports.ts";
import { type BlockItem, eventPartition, type LineKind, padded, type RequestItem, requestKey } from "./items.ts";

const BLOCKS_AT_ONCE = 20;

export type Line = { table: Table; eventId: string; kind: LineKind };
export type Standing = { position: number; request: RequestItem | undefined };

/** The blocks from a position on, which must be the first of its block; ends where a position is not there yet. */
export async function* readBlocks({ table, eventId, kind }: Line, from: number): AsyncGenerator<BlockItem> {
  const partition = eventPartition(eventId);
  const to = `${kind}#~`;
  for (let position = from; ; ) {
    const sort = { from: `${kind}#${padded(position)}`, to };
    const { items } = await table.query({ partition, sort, limit: BLOCKS_AT_ONCE });
    for (const block of items as BlockItem[]) {
      if (block.first !== position) return;
      yield block;
      position += block.count;
    }
    if (items.length < BLOCKS_AT_ONCE) return;
  }
}

/** All blocks from a position on, over gaps too. */
export async function* readBlocksOverGaps({ table, eventId, kind }: Line, from: number): AsyncGenerator<BlockItem> {
  const ask = { partition: eventPartition(eventId), limit: BLOCKS_AT_ONCE };
  const sort = { from: `${kind}#${padded(from)}`, to: `${kind}#~` };
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await table.query({ ...ask, sort, ...(cursor !== undefined && { cursor }) });
    yield* page.items as BlockItem[];
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** The first block behind a gap, if there is one. */
export async function blockBehind({ table, eventId, kind }: Line, position: number): Promise<BlockItem | undefined> {
  const sort = { from: `${kind}#${padded(position)}`, to: `${kind}#~` };
  const { items } = await table.query({ partition: eventPartition(eventId), sort, limit: 1 });
  return items[0] as BlockItem | undefined;
}

/** The first position of the block in which a position is. */
export async function blockStart({ table, eventId, kind }: Line, position: number): Promise<number> {
  const sort = { from: `${kind}#`, to: `${kind}#${padded(position)}` };
  const { items } = await table.query({
    partition: eventPartition(eventId),
    sort,
    order: "descending",
    limit: 1,
  });
  return (items[0] as BlockItem | undefined)?.first ?? position;
}

/** Who stands in these blocks; voided tickets are nobody's, and a request may have expired. */
export async function readStanding({ table }: Line, blocks: BlockItem[]): Promise<Standing[]> {
  const places = blocks.flatMap(({ first, requestIds = [] }) =>
    requestIds.map((requestId, index) => ({ position: first + index, requestId })),
  );
  const items = await table.batchGet(places.map(({ requestId }) => requestKey(requestId)));
  return places.map(({ position }, index) => ({ position, request: items[index] as RequestItem | undefined }));
}
