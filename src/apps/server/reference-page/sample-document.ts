/** The document of an API like the program's own, made by the same generator, for the tests of the reference. */

import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject } from "zod-openapi";

const ProblemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: "Stays the same; decide by it.", example: "event.not-found" }),
    detail: z.string().meta({ description: "A sentence that says what to do." }),
    requestId: z.string().length(32),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Problem" });

const NewEvent = z
  .strictObject({
    name: z.string().min(1).max(120).meta({ description: "As people call it.", example: "Lakeside Half Marathon" }),
    date: z.iso.date().meta({ description: "The day of the start, in the event's own time zone." }),
    timeZone: z.string().default("UTC").meta({ description: "A name of the IANA time zone database." }),
    capacity: z.int().min(1).max(100_000).nullable().meta({ description: "How many places; null: no limit." }),
    mode: z.enum(["first-come", "lottery"]),
    opensAt: z.iso.datetime().optional().meta({ description: "From when on people can ask for a place." }),
    photos: z
      .strictObject({
        bibPattern: z.string().regex(/^\S+$/).default("^[A-Z]?[0-9]{1,6}$"),
        retentionDays: z.int().min(1).max(3650).default(365),
        watermarkZones: z
          .array(z.object({ left: z.number().min(0).max(1), top: z.number().min(0).max(1) }))
          .max(8)
          .optional()
          .meta({ description: "Where no bib is read, as parts of the photo's size." }),
      })
      .optional()
      .meta({ description: "How photos of this event are handled." }),
  })
  .meta({ id: "NewEvent" });

const Event = NewEvent.extend({
  eventId: z.string().meta({ example: "lakeside-2026" }),
  createdAt: z.iso.datetime(),
}).meta({ id: "Event" });

const Runner = z
  .object({
    bib: z.string().min(1).max(7).meta({ example: "A1042" }),
    name: z.string().max(200).meta({ example: "Ana Petrović" }),
    team: z.string().nullable().optional(),
    result: z
      .discriminatedUnion("state", [
        z.object({ state: z.literal("finished"), seconds: z.number().positive().meta({ example: 5421.5 }) }),
        z.object({ state: z.literal("stopped"), reason: z.string().optional() }),
      ])
      .nullable()
      .meta({ description: "How the race ended for this runner." }),
    labels: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: "Runner" });

const organizationPath = z.object({ organizationId: z.string().meta({ description: "The organization." }) });
const eventPath = z.object({ eventId: z.string().meta({ description: "The event.", example: "lakeside-2026" }) });
const runnerPath = eventPath.extend({ bib: Runner.shape.bib });
const page = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(50)
    .meta({ type: "integer", description: "How many at most." }),
  cursor: z.string().max(2000).optional().meta({ description: "The cursor of the page before." }),
};

const json = (schema: z.ZodType, description: string) => ({ description, content: { "application/json": { schema } } });
const listOf = (item: z.ZodType) => z.object({ items: z.array(item), cursor: z.string().optional() });
const problem = { description: "What is wrong.", content: { "application/problem+json": { schema: ProblemBody } } };

const unknownEvent = { code: "event.not-found", status: 404, when: "You have no event of this id." };
const signedIn = { security: [{ token: [] }, { session: [] }] };
const forOrganizers = { ...signedIn, "x-access": "Organizers of the event's organization, and operators." };

const listEvents: ZodOpenApiOperationObject = {
  operationId: "listEvents",
  tags: ["Events"],
  summary: "List events",
  description: "The organization's events, the next one first.",
  ...signedIn,
  "x-access": "Organizers of the organization, and operators.",
  requestParams: { path: organizationPath, query: z.object({ ...page, mode: NewEvent.shape.mode.optional() }) },
  responses: { 200: json(listOf(Event), "A page of events."), default: problem },
};

const createEvent: ZodOpenApiOperationObject = {
  operationId: "createEvent",
  tags: ["Events"],
  summary: "Create an event",
  description: "The event stays closed until `opensAt`.\n\nTo repeat it safely, send the same `idempotency-key` again.",
  ...signedIn,
  "x-access": "Organizers of the organization, and operators.",
  "x-problems": [
    { code: "event.in-the-past", status: 400, when: "`date` is before today." },
    { code: "event.name-taken", status: 409, when: "Another event of the organization has this name on this day." },
  ],
  requestParams: {
    path: organizationPath,
    header: z.object({ "idempotency-key": z.uuid().meta({ description: "Any UUID, new for each event." }) }),
  },
  requestBody: { required: true, content: { "application/json": { schema: NewEvent } } },
  responses: {
    201: {
      ...json(Event, "The event."),
      headers: z.object({ location: z.string().meta({ description: "Where the event can be read." }) }),
    },
    400: { ...problem, description: "A field is wrong." },
    default: problem,
  },
};

const changeEvent: ZodOpenApiOperationObject = {
  operationId: "changeEvent",
  tags: ["Events"],
  summary: "Change an event",
  ...forOrganizers,
  "x-problems": [unknownEvent],
  requestParams: { path: eventPath },
  requestBody: { content: { "application/json": { schema: NewEvent.partial().meta({ minProperties: 1 }) } } },
  responses: { 200: json(Event, "The event as it is now."), default: problem },
};

const deleteEvent: ZodOpenApiOperationObject = {
  tags: ["Events"],
  summary: "Delete an event",
  deprecated: true,
  ...forOrganizers,
  "x-problems": [unknownEvent, { code: "event.has-runners", status: 409, when: "Runners have bibs already." }],
  requestParams: { path: eventPath },
  responses: { 204: { description: "It is gone." } },
};

const listRunners: ZodOpenApiOperationObject = {
  operationId: "listRunners",
  tags: ["Runners"],
  summary: "List runners",
  "x-access": "Anyone, signed in or not.",
  requestParams: {
    path: eventPath,
    query: z.object({
      ...page,
      team: z.string().optional().meta({ description: "Only this team.", deprecated: true }),
    }),
  },
  responses: { 200: json(listOf(Runner), "A page of runners, by bib."), default: problem },
};

const putRunner: ZodOpenApiOperationObject = {
  operationId: "putRunner",
  tags: ["Runners"],
  summary: "Add or replace a runner",
  ...forOrganizers,
  "x-problems": [unknownEvent],
  requestParams: { path: runnerPath },
  requestBody: { required: true, content: { "application/json": { schema: Runner.omit({ bib: true }) } } },
  responses: { 200: json(Runner, "The runner."), default: problem },
};

const importRunners: ZodOpenApiOperationObject = {
  operationId: "importRunners",
  tags: ["Runners"],
  summary: "Import runners from a CSV file",
  ...forOrganizers,
  requestParams: { path: eventPath, query: z.object({ onConflict: z.enum(["refuse", "replace"]) }) },
  requestBody: {
    required: true,
    description: "The file, with the names of its columns in the first line.",
    content: { "text/csv": { schema: z.string(), example: "bib,name\nA1042,Ana's\n" } },
  },
  responses: { 202: json(z.object({ importId: z.string(), rows: z.int().min(0) }), "The import has begun.") },
};

const searchBySelfie: ZodOpenApiOperationObject = {
  operationId: "searchBySelfie",
  tags: ["Photos"],
  summary: "Find photos by selfie",
  description: "The selfie is used for this search and never stored.",
  "x-access": "Anyone, signed in or not.",
  requestParams: { path: eventPath },
  requestBody: {
    required: true,
    content: { "multipart/form-data": { schema: z.object({ selfie: z.string().meta({ format: "binary" }) }) } },
  },
  responses: { 200: json(z.object({ photos: z.array(z.url()).max(200) }), "Photos, the most alike first.") },
};

export const sampleDocument: object = createDocument({
  openapi: "3.1.0",
  info: { title: "SnapRace API", version: "1.4.0", description: "Everything the pages do, for programs." },
  tags: [
    { name: "Events", description: "Races, with their places and their photos." },
    { name: "Runners", description: "Who runs with which bib." },
  ],
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: "For scripts: `snaprace token` prints one." },
      session: { type: "apiKey", in: "cookie", name: "snaprace_access" },
    },
  },
  paths: {
    "/api/organizations/{organizationId}/events": { get: listEvents, post: createEvent },
    "/api/events/{eventId}": { patch: changeEvent, delete: deleteEvent },
    "/api/events/{eventId}/runners": { get: listRunners },
    "/api/events/{eventId}/runners/{bib}": { put: putRunner },
    "/api/events/{eventId}/runners/import": { post: importRunners },
    "/api/events/{eventId}/selfie-search": { post: searchBySelfie },
  },
});
