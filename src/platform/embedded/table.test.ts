import { testTable } from "../contracts/table.contract.ts";
import { openEmbeddedSubject } from "./subject.ts";

testTable("embedded", openEmbeddedSubject);
