/** A process of its own that makes a new PGlite cluster in the folder named to it; its memory is gone with it. */

import { PGlite } from "@electric-sql/pglite";

// Whoever asked for it is gone: so is the wish.
process.once("disconnect", () => process.exit(1));

const cluster = await PGlite.create(process.argv[2] ?? "");
await cluster.close();
process.exit();
