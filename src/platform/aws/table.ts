/** A table on DynamoDB. */

import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { encodeCursor } from "../cursor.ts";
import { checkActions, checkItemSize, checkKey, checkQuery } from "../items.ts";
import type { Action, Clock, Delete, Item, Key, Page, Put, Query, Table, Update } from "../ports.ts";
import { type Backoff, eachInParallel, inGroupsOf, retryOn, untilNoneLeft } from "./retry.ts";
import { busy, isConflict, itemOf, tableFailure } from "./table-failures.ts";
import { planQuery, positionOf, startingAt } from "./table-query.ts";
import { deleteRequest, marshalledKey, putRequest, transactItem, updateRequest } from "./table-requests.ts";

type MarshalledKey = ReturnType<typeof marshalledKey>;

const KEYS_PER_BATCH = 100;
const BATCHES_AT_ONCE = 4;
/** After expired items left a page short, at least so many are looked at in one go. */
const MIN_REFILL = 100;
const BACKOFF: Backoff = { attempts: 10, firstMs: 25, maxMs: 1000 };

export class DynamoTable implements Table {
  readonly #client: DynamoDBClient;
  readonly #clock: Clock;
  readonly #name: string;

  constructor(client: DynamoDBClient, clock: Clock, name: string) {
    this.#client = client;
    this.#clock = clock;
    this.#name = name;
  }

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    const request = { TableName: this.#name, Key: marshalledKey(key), ConsistentRead: true };
    const { Item: attributes } = await this.#asking(() => this.#client.send(new GetItemCommand(request)));
    const item = attributes && itemOf(attributes);
    return item && !this.#isExpired(item) ? item : undefined;
  }

  async batchGet(keys: Key[]): Promise<(Item | undefined)[]> {
    for (const key of keys) checkKey(key);
    const wanted = new Map(keys.map((key) => [idOf(key), marshalledKey(key)]));
    const found = new Map<string, Item>();
    await eachInParallel(inGroupsOf(KEYS_PER_BATCH, [...wanted.values()]), BATCHES_AT_ONCE, async (group) => {
      const left = await untilNoneLeft(group, this.#clock, BACKOFF, (batch) => this.#readBatch(batch, found));
      if (left.length > 0) throw busy(this.#name);
    });
    return keys.map((key) => {
      const item = found.get(idOf(key));
      return item && !this.#isExpired(item) ? item : undefined;
    });
  }

  async query(query: Query): Promise<Page<Item>> {
    checkQuery(query);
    const { request, names, start } = planQuery(this.#name, query);
    if (!request) return { items: [] };
    const items: Item[] = [];
    let position = start;
    let limit = query.limit;
    do {
      const command = new QueryCommand({ ...request, Limit: limit, ...startingAt(position) });
      const { Items = [], LastEvaluatedKey } = await this.#asking(() => this.#client.send(command));
      items.push(...Items.map(itemOf).filter((item) => !this.#isExpired(item)));
      position = LastEvaluatedKey && positionOf(itemOf(LastEvaluatedKey), names);
      limit = Math.max(query.limit - items.length, MIN_REFILL);
    } while (position && items.length < query.limit);
    const kept = items.slice(0, query.limit);
    const last = kept.at(-1);
    if (last && kept.length < items.length) position = positionOf(last, names);
    return position ? { items: kept, cursor: encodeCursor(position) } : { items: kept };
  }

  async write(actions: Action[]): Promise<void> {
    checkActions(actions);
    for (const action of actions) if ("put" in action) checkItemSize(action.put);
    const [only] = actions;
    if (actions.length > 1 || !only || "check" in only || adds(only)) await this.#transact(actions);
    else await this.#writeAlone(only);
  }

  async update(update: Update): Promise<Item> {
    checkActions([update]);
    const request = { ...updateRequest(this.#name, update), ReturnValues: "ALL_NEW" as const };
    const { Attributes } = await this.#asking(() => this.#client.send(new UpdateItemCommand(request)));
    return Attributes ? itemOf(Attributes) : { PK: update.update.PK, SK: update.update.SK };
  }

  /** @throws a Problem when the table is not there or can't be asked. */
  async checkReady(): Promise<void> {
    await this.#asking(() => this.#client.send(new DescribeTableCommand({ TableName: this.#name })));
  }

  /** A transaction of one would cost twice as much, so it is for those that need its token. */
  async #writeAlone(action: Put | Update | Delete): Promise<void> {
    await this.#asking<unknown>(() => {
      if ("put" in action) return this.#client.send(new PutItemCommand(putRequest(this.#name, action)));
      if ("delete" in action) return this.#client.send(new DeleteItemCommand(deleteRequest(this.#name, action)));
      return this.#client.send(new UpdateItemCommand(updateRequest(this.#name, action)));
    });
  }

  /** Each try is a transaction of its own; the SDK's token makes the SDK's own retries of it count once. */
  async #transact(actions: Action[]): Promise<void> {
    const request = { TransactItems: actions.map((action) => transactItem(this.#name, action)) };
    await this.#asking(() => this.#client.send(new TransactWriteItemsCommand(request)));
  }

  /** Fills `found`, and answers the keys DynamoDB left for another time. */
  async #readBatch(keys: MarshalledKey[], found: Map<string, Item>): Promise<MarshalledKey[]> {
    const request = { RequestItems: { [this.#name]: { Keys: keys, ConsistentRead: true } } };
    const answer = await this.#asking(() => this.#client.send(new BatchGetItemCommand(request)));
    for (const attributes of answer.Responses?.[this.#name] ?? []) {
      const item = itemOf(attributes);
      found.set(idOf(item), item);
    }
    return (answer.UnprocessedKeys?.[this.#name]?.Keys ?? []) as MarshalledKey[];
  }

  async #asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await retryOn(isConflict, this.#clock, BACKOFF, ask);
    } catch (error) {
      throw tableFailure(error, this.#name);
    }
  }

  #isExpired({ ttl }: Item): boolean {
    return typeof ttl === "number" && ttl * 1000 <= this.#clock.now();
  }
}

/** Sent again after a lost answer, a plain update would count twice; a transaction's token makes it count once. */
function adds(action: Action): boolean {
  return "update" in action && Object.keys(action.add ?? {}).length > 0;
}

function idOf({ PK, SK }: Key): string {
  return JSON.stringify([PK, SK]);
}
