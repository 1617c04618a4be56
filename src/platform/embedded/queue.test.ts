/** Queues on this machine keep the contract. */

import { testQueue } from "../contracts/queue.contract.ts";
import { openEmbeddedSubject } from "./subject.ts";

testQueue("embedded", openEmbeddedSubject);
