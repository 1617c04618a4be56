import { testBlobs } from "../contracts/blobs.contract.ts";
import { openEmbeddedSubject } from "./subject.ts";

testBlobs("embedded", openEmbeddedSubject);
