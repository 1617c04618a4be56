/** How the pages are built, and served while one works on them. */

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env.SNAPRACE_URL ?? "http://127.0.0.1:8080";

/** What every page needs, in one file: as many small ones it is 7 kB larger gzipped, and comes later. */
const BASE = [
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
  /node_modules\/@tanstack\/(react-router|router-core|history|store|react-store|react-query|query-core)\//,
  /web\/src\/(api|theme|shell)\//,
  /web\/src\/texts\/[\w-]+\.tsx?$/,
  /web\/src\/ui\/(badge|button|card|classes|field|page|page-pending|progress|states|toast)\.\w+/,
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: "es2023",
    // Small files as data URLs would need holes in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "base", test: (id: string) => BASE.some((each) => each.test(id)) }] },
      },
    },
  },
  // The script that checks a draw waits at its top level, and asks for Node's own modules only where it runs on Node.
  worker: { format: "es", rolldownOptions: { external: /^node:/ } },
  server: { proxy: { "/api": server, "/blobs": server, "/inbox": server, "/icon.svg": server } },
});
