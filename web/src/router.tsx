/** Every address of the pages, and which part of the program is loaded for it. */

import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { lazyPage } from "./lazy-page.ts";
import { requireSignIn } from "./require-sign-in.ts";
import { NotFound, RouteFailure, Shell } from "./shell/shell.tsx";
import { loadTexts, type Part } from "./texts/texts.ts";
import { PagePending } from "./ui/page-pending.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: RouteFailure });

/** The page's texts are loaded beside its script, not after it. */
const withTexts =
  (...parts: Part[]) =>
  async () => {
    await Promise.all(parts.map((part) => loadTexts(part)));
  };

const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** Which photos are shown, and which of them is open in front. */
export type PhotosSearch = { bib?: string; photographer?: string; by?: "selfie"; photo?: string };
/** Whom somebody who is several photographers acts as. */
const asPhotographer = (search: { [name: string]: unknown }): { photographer?: string } =>
  optional({ photographer: text(search.photographer) });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  loader: withTexts("runner"),
  component: lazyPage(() => import("./pages/home/home-page.tsx"), "HomePage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: { [name: string]: unknown }): { next?: string } => optional({ next: text(search.next) }),
  loader: withTexts("runner"),
  component: lazyPage(() => import("./pages/sign-in/sign-in-page.tsx"), "SignInPage"),
});

const me = createRoute({
  getParentRoute: () => root,
  path: "/me",
  beforeLoad: requireSignIn,
  loader: withTexts("entry", "photos"),
  component: lazyPage(() => import("./pages/me/my-page.tsx"), "MyPage"),
});

const event = createRoute({
  getParentRoute: () => root,
  path: "/events/$eventId",
  loader: withTexts("runner", "entry"),
  component: lazyPage(() => import("./pages/event/event-page.tsx"), "EventPage"),
});

const request = createRoute({
  getParentRoute: () => root,
  path: "/requests/$requestId",
  beforeLoad: requireSignIn,
  loader: withTexts("entry"),
  component: lazyPage(() => import("./pages/entry/request-page.tsx"), "RequestPage"),
});

const draw = createRoute({
  getParentRoute: () => root,
  path: "/events/$eventId/draw",
  loader: withTexts("draw", "entry"),
  component: lazyPage(() => import("./pages/entry/draw-page.tsx"), "DrawPage"),
});

const proof = createRoute({
  getParentRoute: () => root,
  path: "/draw",
  loader: withTexts("draw"),
  component: lazyPage(() => import("./pages/entry/proof-page.tsx"), "ProofPage"),
});

const photos = createRoute({
  getParentRoute: () => root,
  path: "/events/$eventId/photos",
  validateSearch: (search: { [name: string]: unknown }): PhotosSearch =>
    optional({
      bib: text(search.bib),
      photographer: text(search.photographer),
      by: search.by === "selfie" ? "selfie" : undefined,
      photo: text(search.photo),
    }),
  loader: withTexts("photos"),
  component: lazyPage(() => import("./pages/photos/photos-page.tsx"), "PhotosPage"),
});

const photo = createRoute({
  getParentRoute: () => root,
  path: "/events/$eventId/photos/$ulid",
  loader: withTexts("photos"),
  component: lazyPage(() => import("./pages/photos/photo-page.tsx"), "PhotoPage"),
});

const portfolio = createRoute({
  getParentRoute: () => root,
  path: "/photographers/$photographerId",
  loader: withTexts("photos"),
  component: lazyPage(() => import("./pages/photos/portfolio-page.tsx"), "PortfolioPage"),
});

const photographer = createRoute({
  getParentRoute: () => root,
  path: "/photographer",
  validateSearch: asPhotographer,
  beforeLoad: requireSignIn,
  component: lazyPage(() => import("./pages/photographer/assignments-page.tsx"), "AssignmentsPage"),
});

const upload = createRoute({
  getParentRoute: () => root,
  path: "/photographer/events/$eventId",
  validateSearch: asPhotographer,
  beforeLoad: requireSignIn,
  component: lazyPage(() => import("./pages/photographer/upload-page.tsx"), "UploadPage"),
});

const organizer = createRoute({
  getParentRoute: () => root,
  path: "/organizer",
  beforeLoad: requireSignIn,
  component: lazyPage(() => import("./pages/organizer/organizations-page.tsx"), "OrganizationsPage"),
});

const organization = createRoute({
  getParentRoute: () => root,
  path: "/organizer/organizations/$orgId",
  beforeLoad: requireSignIn,
  component: lazyPage(() => import("./pages/organizer/organization-page.tsx"), "OrganizationPage"),
});

const newEvent = createRoute({
  getParentRoute: () => root,
  path: "/organizer/organizations/$orgId/new-event",
  beforeLoad: requireSignIn,
  component: lazyPage(() => import("./pages/organizer/new-event-page.tsx"), "NewEventPage"),
});

const ownEvent = createRoute({
  getParentRoute: () => root,
  path: "/organizer/events/$eventId",
  beforeLoad: requireSignIn,
  component: lazyPage(() => import("./pages/organizer/event-frame.tsx"), "EventFrame"),
});

const ownEventParts = [
  createRoute({
    getParentRoute: () => ownEvent,
    path: "/",
    validateSearch: (search: { [name: string]: unknown }): { order?: "newest"; status?: string } =>
      optional({ order: search.order === "newest" ? "newest" : undefined, status: text(search.status) }),
    component: lazyPage(() => import("./pages/organizer/entry-tab.tsx"), "EntryTab"),
  }),
  createRoute({
    getParentRoute: () => ownEvent,
    path: "/photos",
    component: lazyPage(() => import("./pages/organizer/photos-tab.tsx"), "PhotosTab"),
  }),
  createRoute({
    getParentRoute: () => ownEvent,
    path: "/runners",
    component: lazyPage(() => import("./pages/organizer/runners-tab.tsx"), "RunnersTab"),
  }),
  createRoute({
    getParentRoute: () => ownEvent,
    path: "/problems",
    component: lazyPage(() => import("./pages/organizer/problems-tab.tsx"), "ProblemsTab"),
  }),
  createRoute({
    getParentRoute: () => ownEvent,
    path: "/settings",
    component: lazyPage(() => import("./pages/organizer/settings-tab.tsx"), "SettingsTab"),
  }),
] as const;

const tree = root.addChildren([
  home,
  signIn,
  me,
  event,
  request,
  draw,
  proof,
  photos,
  photo,
  portfolio,
  photographer,
  upload,
  organizer,
  organization,
  newEvent,
  ownEvent.addChildren(ownEventParts),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: PagePending,
  defaultPendingMs: 300,
  // As they are written: the router's own way takes bib 1E5 for a number, and puts quotes around 1024.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const written = Object.entries(search).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return written.length > 0 ? `?${new URLSearchParams(written)}` : "";
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** Without the fields that have no value, as exact optional types want it. */
function optional<Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
