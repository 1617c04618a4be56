/** Starts the pages: theme and texts first, so that nothing flashes or jumps. */

import "pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css";
import "./tokens.css";
import "./global.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { watchForNewVersion } from "./new-version.ts";
import { router } from "./router.tsx";
import { startTexts } from "./texts/texts.ts";
import { startScheme } from "./theme/scheme.ts";

watchForNewVersion();
startScheme();
await startTexts();

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
