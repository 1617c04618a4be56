import { testWorkflow } from "../contracts/workflow.contract.ts";
import { openEmbeddedSubject } from "./subject.ts";

testWorkflow("embedded", openEmbeddedSubject);
