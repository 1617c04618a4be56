/** Who may call which route, written down a second time and apart from the code: both must say the same. */

export type Rule =
  | "public"
  | "signed-in"
  | "photographer"
  | "the-photographer-themself"
  | "photographer-of-event"
  | "organizer-of-organization"
  | "organizer-of-event"
  | "organizer-of-request"
  | "the-entrant-themself"
  | "operator";

export const RULES: { [route: string]: Rule } = {
  "POST /auth/codes": "public",
  "POST /auth/sessions": "public",
  "GET /auth/sessions/current": "public",
  "DELETE /auth/sessions/current": "signed-in",
  "GET /me": "signed-in",
  "GET /me/tokens": "signed-in",
  "POST /me/tokens": "signed-in",
  "DELETE /me/tokens/{tokenId}": "signed-in",

  "GET /admin/organizations": "signed-in",
  "POST /admin/organizations": "signed-in",
  "GET /admin/organizations/{orgId}": "organizer-of-organization",
  "PATCH /admin/organizations/{orgId}": "organizer-of-organization",
  "DELETE /admin/organizations/{orgId}": "organizer-of-organization",
  "GET /admin/organizations/{orgId}/organizers": "organizer-of-organization",
  "PUT /admin/organizations/{orgId}/organizers/{email}": "organizer-of-organization",
  "DELETE /admin/organizations/{orgId}/organizers/{email}": "organizer-of-organization",

  "GET /events": "public",
  "GET /events/{eventId}": "public",
  "GET /admin/organizations/{orgId}/events": "organizer-of-organization",
  "POST /admin/organizations/{orgId}/events": "organizer-of-organization",
  "GET /admin/events/{eventId}": "organizer-of-event",
  "PATCH /admin/events/{eventId}": "organizer-of-event",
  "DELETE /admin/events/{eventId}": "organizer-of-event",

  "GET /photographers/{photographerId}": "public",
  "PATCH /photographers/{photographerId}": "the-photographer-themself",
  "GET /me/assignments": "photographer",
  "GET /admin/organizations/{orgId}/photographers": "organizer-of-organization",
  "POST /admin/organizations/{orgId}/photographers": "organizer-of-organization",
  "GET /admin/organizations/{orgId}/photographers/{photographerId}": "organizer-of-organization",
  "PATCH /admin/organizations/{orgId}/photographers/{photographerId}": "organizer-of-organization",
  "DELETE /admin/organizations/{orgId}/photographers/{photographerId}": "organizer-of-organization",
  "GET /admin/events/{eventId}/photographers": "organizer-of-event",
  "PUT /admin/events/{eventId}/photographers/{photographerId}": "organizer-of-event",
  "DELETE /admin/events/{eventId}/photographers/{photographerId}": "organizer-of-event",

  "GET /admin/events/{eventId}/runners": "organizer-of-event",
  "POST /admin/events/{eventId}/runners": "organizer-of-event",
  "POST /admin/events/{eventId}/runners/import": "organizer-of-event",
  "GET /admin/events/{eventId}/runners.csv": "organizer-of-event",
  "GET /admin/events/{eventId}/runners/{bib}": "organizer-of-event",
  "PATCH /admin/events/{eventId}/runners/{bib}": "organizer-of-event",
  "DELETE /admin/events/{eventId}/runners/{bib}": "organizer-of-event",

  "GET /events/{eventId}/photos": "public",
  "GET /events/{eventId}/photos/{ulid}": "public",
  "GET /events/{eventId}/photos/{ulid}/download": "public",
  "GET /events/{eventId}/photos.zip": "public",
  "GET /photographers/{photographerId}/photos": "public",
  "POST /events/{eventId}/selfie-search": "public",
  "POST /events/{eventId}/uploads": "photographer-of-event",
  "POST /events/{eventId}/uploads/parts": "photographer-of-event",
  "POST /events/{eventId}/uploads/complete": "photographer-of-event",
  "GET /events/{eventId}/uploads/summary": "photographer-of-event",
  "GET /events/{eventId}/uploads/failed": "photographer-of-event",
  "GET /admin/events/{eventId}/photos/summary": "organizer-of-event",
  "GET /admin/events/{eventId}/photos/failed": "organizer-of-event",
  "GET /admin/events/{eventId}/uploads/{ulid}": "organizer-of-event",
  "POST /admin/events/{eventId}/photos/{ulid}/reprocess": "organizer-of-event",
  "POST /admin/events/{eventId}/photos/reprocess": "organizer-of-event",
  "DELETE /admin/events/{eventId}/photos/{ulid}": "organizer-of-event",
  "DELETE /admin/events/{eventId}/faces": "organizer-of-event",
  "GET /admin/events/{eventId}/photos/dead-letters": "organizer-of-event",
  "GET /admin/events/{eventId}/photos/dead-letters/{letterId}": "organizer-of-event",
  "POST /admin/events/{eventId}/photos/dead-letters/redrive": "organizer-of-event",
  "GET /admin/photos/dead-letters": "operator",
  "POST /admin/photos/dead-letters/redrive": "operator",

  "GET /events/{eventId}/entry": "public",
  "POST /events/{eventId}/participations": "signed-in",
  "GET /requests/{requestId}": "the-entrant-themself",
  "GET /requests/{requestId}/live": "the-entrant-themself",
  "POST /requests/{requestId}/cancellation": "the-entrant-themself",
  "GET /me/participations": "signed-in",
  "GET /me/bibs": "signed-in",
  "GET /events/{eventId}/draw": "public",
  "GET /events/{eventId}/draw/entrants.txt": "public",
  "GET /events/{eventId}/draw/proof.json": "public",

  "GET /admin/events/{eventId}/requests": "organizer-of-event",
  "GET /admin/events/{eventId}/requests.csv": "organizer-of-event",
  "GET /admin/events/{eventId}/summary": "organizer-of-event",
  "GET /admin/events/{eventId}/fairness": "organizer-of-event",
  "GET /admin/requests/{requestId}": "organizer-of-request",
  "GET /admin/requests/{requestId}/logs": "organizer-of-request",
  "GET /admin/events/{eventId}/entry": "organizer-of-event",
  "POST /admin/events/{eventId}/entry/open": "organizer-of-event",
  "POST /admin/events/{eventId}/entry/pause": "organizer-of-event",
  "POST /admin/events/{eventId}/entry/close": "organizer-of-event",
  "POST /admin/events/{eventId}/entry/draw": "organizer-of-event",
  "POST /admin/events/{eventId}/entry/announce": "organizer-of-event",
  "GET /admin/events/{eventId}/dead-letters": "organizer-of-event",
  "GET /admin/events/{eventId}/dead-letters/{letterId}": "organizer-of-event",
  "POST /admin/events/{eventId}/dead-letters/redrive": "organizer-of-event",
  "GET /admin/dead-letters": "operator",
  "POST /admin/dead-letters/redrive": "operator",
};

/** Below /api, but no part of the API: its description and the page that shows it. */
export const DESCRIPTION_PATHS = ["/api", "/api/", "/api/openapi.json", "/api/reference.css", "/api/reference.js"];

/** Who calls. What is called belongs to organization A, and requests for places to the runner. */
export const CALLERS = [
  "nobody",
  "a runner",
  "a photographer of A's event",
  "a photographer of nothing",
  "an organizer of A",
  "an organizer of B",
  "an operator",
  "an expired token",
  "a token signed with another secret",
] as const;
export type CallerName = (typeof CALLERS)[number];

export type Expected = "may" | 401 | 403 | 404;

/** In the order of the callers. To organizers, what belongs to others is not there; others hear that they may not. */
const EXPECTED: { [rule in Rule]: Expected[] } = {
  public: ["may", "may", "may", "may", "may", "may", "may", 401, 401],
  "signed-in": [401, "may", "may", "may", "may", "may", "may", 401, 401],
  photographer: [401, 403, "may", "may", 403, 403, 403, 401, 401],
  "the-photographer-themself": [401, 403, "may", 404, 403, 403, 403, 401, 401],
  "photographer-of-event": [401, 403, "may", 403, "may", 404, "may", 401, 401],
  "organizer-of-organization": [401, 403, 403, 403, "may", 404, "may", 401, 401],
  "organizer-of-event": [401, 403, 403, 403, "may", 404, "may", 401, 401],
  "organizer-of-request": [401, 403, 403, 403, "may", 404, "may", 401, 401],
  "the-entrant-themself": [401, "may", 404, 404, 404, 404, 404, 401, 401],
  operator: [401, 403, 403, 403, 403, 403, "may", 401, 401],
};

export function expectedFor(rule: Rule, caller: CallerName): Expected {
  return EXPECTED[rule][CALLERS.indexOf(caller)] ?? 401;
}

/** Says of each route without a rule, and of each rule without a route, what is missing. */
export function compareWithRules(routes: string[], rules: { [route: string]: Rule } = RULES): string[] {
  return [
    ...routes
      .filter((route) => !Object.hasOwn(rules, route))
      .map((route) => `${route} has no rule in tests/access/rules.ts`),
    ...Object.keys(rules)
      .filter((route) => !routes.includes(route))
      .map((route) => `tests/access/rules.ts has a rule for ${route}, which is no route`),
  ];
}
