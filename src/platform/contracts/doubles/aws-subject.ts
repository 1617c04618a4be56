/** The AWS engines on local doubles, for contract suites: each thing is made afresh under a name of its own. */

import { randomBytes } from "node:crypto";
import { type AwsSettings, openAwsEngines } from "../../aws/engines.ts";
import type { Subject } from "../subject.ts";
import { dynoxideMissing, startDynoxide } from "./dynoxide.ts";
import { startFauxqs } from "./fauxqs.ts";
import { MACHINE_ARN_PREFIX, startStepFunctions } from "./step-functions.ts";

/** Without dynoxide on this platform everything but tables can be had; see `dynoxideMissing`. */
export async function openAwsSubject(settings: Pick<AwsSettings, "clock" | "onError"> = {}): Promise<Subject> {
  const [dynoxide, fauxqs, states] = await Promise.all([
    dynoxideMissing() ? undefined : startDynoxide(),
    startFauxqs(),
    startStepFunctions(),
  ]);
  const engines = openAwsEngines({
    ...localSettings({
      sqs: fauxqs.endpoint,
      s3: fauxqs.endpoint,
      states: states.endpoint,
      ...(dynoxide && { dynamodb: dynoxide.endpoint }),
    }),
    ...settings,
  });
  return {
    async table() {
      if (!dynoxide) throw new Error(dynoxideMissing());
      const name = freshName();
      await dynoxide.createTable(name);
      return engines.table(name);
    },
    async queue(queueSettings) {
      const name = freshName();
      await fauxqs.createQueue(name, queueSettings);
      return engines.queue(name, queueSettings);
    },
    async blobs() {
      const name = freshName();
      await fauxqs.createBucket(name);
      return engines.blobs(name);
    },
    async workflow(definition) {
      const fresh = { ...definition, name: `${definition.name}-${freshName()}` };
      states.createStateMachine(fresh);
      return engines.workflow(fresh);
    },
    async close() {
      await engines.close();
      await Promise.all([dynoxide?.stop(), fauxqs.stop(), states.stop()]);
    },
  };
}

/** How the engines find doubles, which look at no credentials. */
export function localSettings(endpoints: NonNullable<AwsSettings["endpoints"]>): AwsSettings {
  return {
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    stateMachineArnPrefix: MACHINE_ARN_PREFIX,
    endpoints,
  };
}

function freshName(): string {
  return `t-${randomBytes(6).toString("hex")}`;
}
