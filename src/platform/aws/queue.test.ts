/** The queue port on SQS, and what the engine makes of batches done in part and of a network that fails. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { localSettings, openAwsSubject } from "../contracts/doubles/aws-subject.ts";
import { startFauxqs } from "../contracts/doubles/fauxqs.ts";
import { type Answer, awsError, type Call } from "../contracts/doubles/scripted-aws.ts";
import { NOW, onScriptedAws, type Scripted } from "../contracts/doubles/scripted-engines.ts";
import { testQueue } from "../contracts/queue.contract.ts";
import { refusedWith } from "../contracts/refused.ts";
import type { Message, Queue, QueueSettings } from "../ports.ts";
import { newRequestId, withRequestId } from "../request-context.ts";
import { openAwsEngines } from "./engines.ts";
import { groupsToSend, type Outgoing } from "./mailbox.ts";

testQueue("aws", openAwsSubject);

const SETTINGS: QueueSettings = { visibilityMs: 30_000, maxReceives: 3 };
type Entries = { Id: string; MessageBody: string; VisibilityTimeout: number; MessageAttributes: Attributes }[];
type Attributes = { [name: string]: { StringValue: string } };

function scripted(
  answer: (call: Call, number: number) => Answer,
  work: (queue: Queue, scripted: Scripted) => Promise<unknown>,
  settings = SETTINGS,
): Promise<void> {
  const withUrl = (call: Call, number: number) =>
    call.action === "GetQueueUrl"
      ? { json: { QueueUrl: `http://sqs/0/${call.input.QueueName}` } }
      : answer(call, number);
  return onScriptedAws(withUrl, (on) => work(on.engines.queue("q", settings), on), { maxAttempts: 1 });
}

const entriesOf = ({ input }: Call) => input.Entries as Entries;
const callsOf = (calls: Call[], action: string) => calls.filter((call) => call.action === action);

/** As SQS answers when nothing failed; the SDK would check the sums of what is said to have succeeded. */
const allDone = (): Answer => ({ json: { Failed: [] } });

describe("sending to SQS", () => {
  const message = (sizeBytes: number): Outgoing => ({ body: "x".repeat(sizeBytes), attributes: {} });
  const sizesOf = (messages: Outgoing[]) => groupsToSend(messages).map((group) => group.map(({ body }) => body.length));

  test("batches have ten messages and 256 KiB at most, attributes counted", () => {
    const kib = 1024;
    assert.deepEqual(
      sizesOf(Array.from({ length: 21 }, () => message(1))).map((group) => group.length),
      [10, 10, 1],
    );
    assert.deepEqual(sizesOf([message(100 * kib), message(156 * kib), message(1)]), [[100 * kib, 156 * kib], [1]]);
    assert.deepEqual(sizesOf([message(256 * kib), message(256 * kib)]), [[256 * kib], [256 * kib]]);
    const attributed = { ...message(256 * kib - 10), attributes: { requestId: "1" } };
    assert.equal(groupsToSend([message(5), attributed]).length, 2);
    assert.deepEqual(groupsToSend([]), []);
  });

  test("what a batch left undone is sent again, and only that", async () => {
    const answer = (call: Call, number: number): Answer => {
      const failed = number === 2 ? entriesOf(call).slice(3, 5) : [];
      const Failed = failed.map(({ Id }) => ({ Id, Code: "InternalError", SenderFault: false }));
      return { json: { Successful: [], Failed } };
    };
    await scripted(answer, async (queue, { calls, sleeps }) => {
      await withRequestId("0".repeat(32), () => queue.send(["a", "b", "c", "d", "e", "f"]));
      const [, first, second] = calls;
      assert.deepEqual(first && entriesOf(first).map(({ MessageBody }) => MessageBody), ["a", "b", "c", "d", "e", "f"]);
      assert.deepEqual(second && entriesOf(second).map(({ MessageBody }) => MessageBody), ["d", "e"]);
      assert.equal(second && entriesOf(second)[0]?.MessageAttributes.requestId?.StringValue, "0".repeat(32));
      assert.equal(sleeps.length, 1);
      assert.equal(callsOf(calls, "GetQueueUrl").length, 1);
    });
  });

  test("what never goes through is told, and what SQS refuses is not tried again", async () => {
    const failing = (SenderFault: boolean) => (call: Call) => ({
      json: { Failed: entriesOf(call).map(({ Id }) => ({ Id, Code: "Some", SenderFault })) },
    });
    await scripted(failing(false), async (queue, { calls }) => {
      await refusedWith("queue.busy", queue.send(["a"]));
      assert.equal(callsOf(calls, "SendMessageBatch").length, 6);
    });
    await scripted(failing(true), async (queue, { calls }) => {
      await refusedWith("queue.refused", queue.send(["a"]));
      assert.equal(callsOf(calls, "SendMessageBatch").length, 1);
    });
  });

  test("a queue that is not there is a mistake of whoever deployed, and is looked for again", async () => {
    let isDeployed = false;
    const answer = (call: Call) => {
      if (call.action !== "GetQueueUrl") return allDone();
      return isDeployed ? { json: { QueueUrl: "http://sqs/0/q" } } : awsError("QueueDoesNotExist");
    };
    await onScriptedAws(answer, async ({ engines }) => {
      const queue = engines.queue("q", SETTINGS);
      await refusedWith("queue.unknown", queue.send(["a"]));
      isDeployed = true;
      await queue.send(["a"]);
    });
  });
});

describe("consuming from SQS", () => {
  const received = (bodies: { [body: string]: number }) =>
    Object.entries(bodies).map(([Body, receives]) => ({
      MessageId: `id-${Body}`,
      ReceiptHandle: `handle-${Body}`,
      Body,
      MD5OfBody: createHash("md5").update(Body).digest("hex"),
      Attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: "1700000000000" },
      MessageAttributes: { requestId: { DataType: "String", StringValue: `request-${Body}` } },
    }));
  /** Gives the messages once, then nothing. */
  const once = (messages: object[]) => {
    let isGiven = false;
    return (call: Call): Answer => {
      if (call.action !== "ReceiveMessage") return allDone();
      const json = isGiven ? {} : { Messages: messages };
      isGiven = true;
      return { json };
    };
  };
  const until = async (isSo: () => boolean) => {
    for (let tries = 0; !isSo(); tries++) {
      if (tries > 500) assert.fail("it did not happen");
      await delay(10);
    }
  };

  test("each message is settled as it went: deleted, put off, or buried with its reason", async () => {
    const answer = once(received({ fine: 1, soon: 1, later: 1, again: 3, often: 7, dead: 9, long: 6 }));
    const settings = { visibilityMs: 30_000, maxReceives: 9 };
    await scripted(
      answer,
      async (queue, { calls }) => {
        const consumer = queue.consume(async (messages) =>
          messages
            .filter(({ body }) => body !== "fine")
            .map(({ id, body }) => ({
              id,
              reason: `${body}\u0000`,
              ...(body === "soon" && { retryInMs: 0 }),
              ...(body === "later" && { retryInMs: 1500 }),
            })),
        );
        await until(() => callsOf(calls, "DeleteMessageBatch").length === 2);
        await consumer.stop();
        const [release] = callsOf(calls, "ChangeMessageVisibilityBatch");
        const waits = (release ? entriesOf(release) : []).map(({ VisibilityTimeout }) => VisibilityTimeout);
        // Soon and later as asked; again, often and long by their receives, within the visibility time-out.
        assert.deepEqual(waits, [0, 2, 4, 30, 30]);
        const [burial] = callsOf(calls, "SendMessageBatch");
        assert.equal(burial?.input.QueueUrl, "http://sqs/0/q-dlq");
        const [letter] = burial ? entriesOf(burial) : [];
        assert.equal(letter?.MessageBody, "dead");
        const attributes = Object.entries(letter?.MessageAttributes ?? {}).map(([name, { StringValue }]) => [
          name,
          StringValue,
        ]);
        assert.deepEqual(Object.fromEntries(attributes), {
          reason: "dead\ufffd",
          receives: "9",
          messageId: "id-dead",
          sentAt: "1700000000000",
          requestId: "request-dead",
        });
        const deleted = callsOf(calls, "DeleteMessageBatch").flatMap((call) =>
          (call.input.Entries as { ReceiptHandle: string }[]).map(({ ReceiptHandle }) => ReceiptHandle),
        );
        assert.deepEqual(deleted.sort(), ["handle-dead", "handle-fine"]);
        assert.ok(calls.indexOf(burial as Call) < calls.findLastIndex(({ action }) => action === "DeleteMessageBatch"));
      },
      settings,
    );
  });

  test("a message that can't be buried is not deleted either", async () => {
    const give = once(received({ dead: 3 }));
    const answer = (call: Call) =>
      call.action === "SendMessageBatch" ? awsError("AccessDenied", {}, 403) : give(call);
    await scripted(answer, async (queue, { calls, errors }) => {
      const consumer = queue.consume(async ([message]) => [{ id: message?.id ?? "", reason: "broken" }]);
      await until(() => errors.length === 1);
      await consumer.stop();
      assert.match(String(errors[0]), /AccessDenied/);
      assert.equal(callsOf(calls, "DeleteMessageBatch").length, 0);
    });
  });

  test("a redrive leaves alone what died after it began, or it might never end", async () => {
    const [older, newer] = received({ older: 1, newer: 1 });
    const Attributes = { ApproximateReceiveCount: "1", SentTimestamp: String(NOW + 6000) };
    await scripted(once([{ ...older }, { ...newer, Attributes }]), async (queue, { calls }) => {
      assert.equal(await queue.redrive(), 1);
      const [sent] = callsOf(calls, "SendMessageBatch");
      assert.deepEqual(sent && entriesOf(sent).map(({ MessageBody }) => MessageBody), ["older"]);
      const [released] = callsOf(calls, "ChangeMessageVisibilityBatch");
      assert.deepEqual(released?.input.Entries, [{ Id: "0", ReceiptHandle: "handle-newer", VisibilityTimeout: 0 }]);
    });
  });

  test("stopping does not wait for messages that may come", async () => {
    await scripted(
      () => ({ never: true }),
      async (queue, { calls, errors }) => {
        const consumer = queue.consume(async () => []);
        await until(() => callsOf(calls, "ReceiveMessage").length === 1);
        const stopped = consumer.stop().then(() => "stopped");
        assert.equal(await Promise.race([stopped, delay(2000, "still waiting", { ref: false })]), "stopped");
        assert.deepEqual(errors, []);
      },
    );
  });

  test("an error is reported and waited out, and the loop goes on", async () => {
    const give = once(received({ fine: 1 }));
    const answer = (call: Call, number: number) => (number <= 4 ? awsError("InternalError", {}, 500) : give(call));
    await scripted(answer, async (queue, { calls, sleeps, errors }) => {
      const bodies: string[] = [];
      const consumer = queue.consume(async (messages) => {
        bodies.push(...messages.map(({ body }) => body));
        return [];
      });
      await until(() => callsOf(calls, "DeleteMessageBatch").length === 1);
      await consumer.stop();
      assert.deepEqual(bodies, ["fine"]);
      assert.equal(errors.length, 3);
      assert.equal(sleeps.length, 3);
    });
  });
});

describe("on a double of SQS", () => {
  async function opened(t: TestContext, settings = SETTINGS) {
    const fauxqs = await startFauxqs();
    const closings = [() => fauxqs.stop()];
    t.after(async () => {
      for (const close of closings.reverse()) await close();
    });
    await fauxqs.createQueue("q", settings);
    const open = () => {
      const engines = openAwsEngines(localSettings({ sqs: fauxqs.endpoint }));
      closings.push(() => engines.close());
      return { engines, queue: engines.queue("q", settings) };
    };
    return { open, closings, ...open() };
  }
  const oneDead = async (queue: Queue) => {
    for (;;) {
      const [letter] = await queue.peekDead(1);
      if (letter) return letter;
      await delay(20);
    }
  };

  test("closing the engines stops their consumers", async (t) => {
    const { engines, queue, open } = await opened(t);
    let handled = 0;
    queue.consume(async () => {
      handled += 1;
      return [];
    });
    await delay(50);
    await engines.close();
    const other = open().queue;
    await other.send(["a"]);
    await delay(300);
    assert.deepEqual(await other.depth(), { waiting: 1, inFlight: 0, dead: 0 });
    assert.equal(handled, 0);
  });

  test("a dead letter is the message as it was, and comes back as new", { timeout: 10_000 }, async (t) => {
    const { queue } = await opened(t, { visibilityMs: 1000, maxReceives: 1 });
    const requestId = newRequestId();
    await withRequestId(requestId, () => queue.send(["poison"]));
    const seen: Message[] = [];
    queue.consume(async (messages) => {
      seen.push(...messages);
      return seen.length > 1 ? [] : messages.map(({ id }) => ({ id, reason: "no" }));
    });
    const letter = await oneDead(queue);
    assert.deepEqual(letter, { ...seen[0], reason: "no" });
    assert.equal(await queue.redrive([letter.id]), 1);
    while (seen.length < 2) await delay(20);
    assert.deepEqual([seen[1]?.body, seen[1]?.receives, seen[1]?.requestId], ["poison", 1, requestId]);
  });

  test("what SQS itself buried has a reason too", { timeout: 10_000 }, async (t) => {
    const { queue, closings } = await opened(t, { visibilityMs: 1000, maxReceives: 1 });
    const requestId = newRequestId();
    await withRequestId(requestId, () => queue.send(["taken and never answered for"]));
    const { promise: held, resolve: letGo } = Promise.withResolvers<[]>();
    queue.consume(() => held, { concurrency: 2 });
    closings.push(async () => letGo([]));
    const letter = await oneDead(queue);
    assert.equal(letter.reason, "received 1 times without being finished");
    assert.deepEqual([letter.receives, letter.requestId], [1, requestId]);
  });
});
