/** The API's types, written by `npm run api-types` from its OpenAPI document: do not edit. */

export type PhotoSettings = {
  bibPattern?: string;
  watermarkZones?: { left: number; top: number; width: number; height: number }[];
  faceIndexing?: boolean;
  retentionDays?: number;
};

export type EntrySettings =
  | {
      eventType: "FIRST_COME";
      capacityTotal: number;
      opensAt: string;
      cancelUntil?: string;
      bibStart?: number;
      bibFormat?: string;
      closesAt?: string;
    }
  | {
      eventType: "LOTTERY";
      capacityTotal: number;
      opensAt: string;
      cancelUntil?: string;
      bibStart?: number;
      bibFormat?: string;
      lotteryCutoffAt: string;
      announcedAt: string;
      beaconSource?: string;
    };

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  requestId: string;
  errors?: { field: string; message: string }[];
};

export type Me = {
  userId: string;
  email?: string;
  operator: boolean;
  organizations: string[];
  photographers: string[];
};

export type ScriptToken = { tokenId: string; name: string; createdAt: string; expiresAt: string };

export type Organization = {
  orgId: string;
  name: string;
  subdomain: string;
  active: boolean;
  branding: { accentColor?: string; logoUrl?: string; websiteUrl?: string };
  createdAt: string;
  updatedAt: string;
};

export type Organizer = { email: string; addedAt: string };

export type PublicEvent = {
  eventId: string;
  name: string;
  date: string;
  location: string;
  timeZone: string;
  displayMode: "RESULTS_AND_PHOTOS" | "PHOTOS_ONLY";
  entry: EntrySettingsOutput | null;
  organization: {
    orgId: string;
    name: string;
    subdomain: string;
    branding: { accentColor?: string; logoUrl?: string; websiteUrl?: string };
  };
};

export type Event = {
  eventId: string;
  orgId: string;
  name: string;
  date: string;
  location: string;
  timeZone: string;
  displayMode: "RESULTS_AND_PHOTOS" | "PHOTOS_ONLY";
  published: boolean;
  photos: PhotoSettingsOutput;
  entry: EntrySettingsOutput | null;
  createdAt: string;
  updatedAt: string;
};

export type Credit = {
  photographerId: string;
  displayName: string;
  instagramHandle: string | null;
  websiteUrl: string | null;
  bio: string | null;
};

export type Photographer = {
  photographerId: string;
  orgId: string;
  displayName: string;
  instagramHandle: string | null;
  websiteUrl: string | null;
  bio: string | null;
  name: string;
  email: string | null;
  active: boolean;
  createdAt: string;
  updatedAt: string;
};

export type Assignment = {
  photographerId: string;
  displayName: string;
  instagramHandle: string | null;
  websiteUrl: string | null;
  bio: string | null;
  role: string;
  assignedAt: string;
};

export type MyBib = {
  eventId: string;
  eventName: string;
  date: string;
  bib: string;
  name: string | null;
  finishTime: string | null;
};

export type Runner = {
  bib: string;
  name: string | null;
  finishTime: string | null;
  gender: string | null;
  age: number | null;
  team: string | null;
  timingResult: unknown;
  userId: string | null;
  source: "IMPORT" | "ENTRY" | "MANUAL";
  updatedAt: string;
};

export type ImportReport = {
  rows: number;
  added: number;
  updated: number;
  unchanged: number;
  outsidePattern: number;
  dryRun: boolean;
};

export type ParticipationInLine = {
  requestId: string;
  eventId: string;
  eventType: "FIRST_COME" | "LOTTERY";
  status: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
  uiResult: "PENDING" | "SUCCESS" | "REJECTED" | "FAILED";
  resultCode:
    | "SUCCESS"
    | "REJECTED_CAPACITY"
    | "REJECTED_DUPLICATE"
    | "REJECTED_LOTTERY_LOSE"
    | "CANCELLED"
    | "FAILED_INGEST_ENQUEUE"
    | "FAILED_WORKER"
    | "FAILED_VALIDATION"
    | "FAILED_SERDE"
    | null;
  uiPhase: "COLLECTING" | "DRAWING" | "ANNOUNCED" | null;
  ticket: number | null;
  rank: number | null;
  place: number | null;
  requestedAt: number;
  queuedAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  promotedAt: number | null;
  cancelledAt: number | null;
  line: {
    kind: "QUEUE" | "DRAW" | "RESERVE";
    ahead: number | null;
    placesLeft: number;
    capacityTotal: number;
    waiting: number;
  } | null;
  askAgainInMs: number | null;
};

export type Participation = {
  requestId: string;
  eventId: string;
  eventType: "FIRST_COME" | "LOTTERY";
  status: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
  uiResult: "PENDING" | "SUCCESS" | "REJECTED" | "FAILED";
  resultCode:
    | "SUCCESS"
    | "REJECTED_CAPACITY"
    | "REJECTED_DUPLICATE"
    | "REJECTED_LOTTERY_LOSE"
    | "CANCELLED"
    | "FAILED_INGEST_ENQUEUE"
    | "FAILED_WORKER"
    | "FAILED_VALIDATION"
    | "FAILED_SERDE"
    | null;
  uiPhase: "COLLECTING" | "DRAWING" | "ANNOUNCED" | null;
  ticket: number | null;
  rank: number | null;
  place: number | null;
  requestedAt: number;
  queuedAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  promotedAt: number | null;
  cancelledAt: number | null;
};

export type EntryState = {
  eventId: string;
  eventType: "FIRST_COME" | "LOTTERY";
  phase: "NOT_OPEN" | "OPEN" | "PAUSED" | "CLOSED" | "DRAWING" | "ANNOUNCED";
  capacityTotal: number;
  placesLeft: number;
  tickets: number;
  waiting: number;
  opensAt: number;
  closesAt: number | null;
  lotteryCutoffAt: number | null;
  announcedAt: number | null;
  cancelUntil: number;
  serverTime: number;
};

export type Draw = {
  eventId: string;
  phase: "NOT_OPEN" | "OPEN" | "PAUSED" | "CLOSED" | "DRAWING" | "ANNOUNCED";
  commitment: string;
  committedAt: number;
  beaconSource: string | null;
  beaconValue: string | null;
  frozenAt: number | null;
  entrants: number | null;
  entrantsSha256: string | null;
  drawnAt: number | null;
  announcedAt: number | null;
};

export type EntryRequest = {
  requestId: string;
  eventId: string;
  eventType: "FIRST_COME" | "LOTTERY";
  status: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
  uiResult: "PENDING" | "SUCCESS" | "REJECTED" | "FAILED";
  resultCode:
    | "SUCCESS"
    | "REJECTED_CAPACITY"
    | "REJECTED_DUPLICATE"
    | "REJECTED_LOTTERY_LOSE"
    | "CANCELLED"
    | "FAILED_INGEST_ENQUEUE"
    | "FAILED_WORKER"
    | "FAILED_VALIDATION"
    | "FAILED_SERDE"
    | null;
  uiPhase: "COLLECTING" | "DRAWING" | "ANNOUNCED" | null;
  ticket: number | null;
  rank: number | null;
  place: number | null;
  requestedAt: number;
  queuedAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  promotedAt: number | null;
  cancelledAt: number | null;
  userId: string;
  failureClass: "RETRYABLE" | "NON_RETRYABLE" | null;
  errorCode: string | null;
  errorMessage: string | null;
};

export type EntrySummary = {
  eventId: string;
  capacityTotal: number;
  capacityRemaining: number;
  tickets: number;
  voided: number;
  byStatus: {
    RECEIVED: number;
    QUEUED: number;
    PROCESSING: number;
    SUCCEEDED: number;
    REJECTED: number;
    FAILED_FINAL: number;
  };
  byResult: {
    SUCCESS: number;
    REJECTED_CAPACITY: number;
    REJECTED_LOTTERY_LOSE: number;
    CANCELLED: number;
    FAILED_VALIDATION: number;
  };
  updatedAt: number;
};

export type EntryFairness = {
  eventId: string;
  inversions: number;
  voidedTickets: number[];
  voidedCount: number;
  oldestUnsettledTicket: number | null;
  oldestUnsettledAgeMs: number | null;
  settleLagMs: { median: number; max: number } | null;
  checkedRequests: number;
  checkedAt: number;
};

export type RequestLogEntry = {
  fromStatus: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
  toStatus: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
  occurredAt: number;
  message: string;
};

export type SteeredEntry = {
  eventId: string;
  eventType: "FIRST_COME" | "LOTTERY";
  phase: "NOT_OPEN" | "OPEN" | "PAUSED" | "CLOSED" | "DRAWING" | "ANNOUNCED";
  capacityTotal: number;
  placesLeft: number;
  tickets: number;
  waiting: number;
  opensAt: number;
  closesAt: number | null;
  lotteryCutoffAt: number | null;
  announcedAt: number | null;
  cancelUntil: number;
  serverTime: number;
  status: "Open" | "Closed" | "Announced";
  paused: boolean;
  draw: Draw | null;
};

export type EntryDeadLetter = {
  id: string;
  queue: string;
  reason: string;
  receives: number;
  sentAt: number;
  body: string;
  eventId: string | null;
  requestId: string | null;
  status: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL" | null;
  ticket: number | null;
};

export type Photo = {
  ulid: string;
  eventId: string;
  bibs: string[];
  takenAt: string | null;
  createdAt: string;
  width: number;
  height: number;
  thumbhash: string;
  imageUrl: string;
  thumbnailUrl: string;
  urlsExpireAt: string;
  photographer: { photographerId: string; handle: string | null; displayName: string | null } | null;
  fileName: string;
};

export type NearMisses = { onRoster: boolean | null; suggestions: { bib: string; photos: number }[] };

export type PhotoDetail = {
  ulid: string;
  eventId: string;
  bibs: string[];
  takenAt: string | null;
  createdAt: string;
  width: number;
  height: number;
  thumbhash: string;
  imageUrl: string;
  thumbnailUrl: string;
  urlsExpireAt: string;
  photographer: { photographerId: string; handle: string | null; displayName: string | null } | null;
  fileName: string;
  seenBibs: { bib: string; box: Box; confidence: number; face: number | null }[];
  faces: { box: Box }[];
  camera: { make?: string; model?: string; lens?: string } | null;
  alsoUploadedAs?: string[];
};

export type Box = { left: number; top: number; width: number; height: number };

export type FoundPhoto = {
  ulid: string;
  eventId: string;
  bibs: string[];
  takenAt: string | null;
  createdAt: string;
  width: number;
  height: number;
  thumbhash: string;
  imageUrl: string;
  thumbnailUrl: string;
  urlsExpireAt: string;
  photographer: { photographerId: string; handle: string | null; displayName: string | null } | null;
  fileName: string;
  similarity: number;
  alreadyShown: boolean;
};

export type UploadAnswer =
  | { name: string; state: "upload"; key: string; upload: SignedUpload; expiresAt: string }
  | { name: string; state: "parts"; key: string; parts: { uploadId: string; partSizeBytes: number; count: number } }
  | { name: string; state: "known"; ulid?: string; why: string }
  | { name: string; state: "refused"; problem: { code: string; message: string } };

export type SignedUpload = { method: "PUT"; url: string; headers: { [name: string]: string } };

export type UploadSummary = {
  eventId: string;
  photographerId: string | null;
  uploaded: number;
  processing: number;
  done: number;
  failed: number;
  duplicate: number;
  deleted: number;
  withoutBib: number;
  withFaces: number;
};

export type Upload = {
  ulid: string;
  fileName: string;
  photographerId: string | null;
  status: "PROCESSING" | "DONE" | "FAILED" | "DUPLICATE" | "DELETED";
  attempt: number;
  uploadedAt: string;
  changedAt: string;
  failure: { code: string; message: string } | null;
  duplicateOf: string | null;
};

export type PhotoSummary = {
  eventId: string;
  uploaded: number;
  processing: number;
  done: number;
  failed: number;
  duplicate: number;
  deleted: number;
  withoutBib: number;
  withFaces: number;
  oldestWaitingAt: string | null;
  oldestWaitingMs: number | null;
  queueOfAllEvents: { waiting: number; inFlight: number; dead: number };
  roster: { runners: number; withPhoto: number };
  faces: { indexing: boolean; until: string; state: "none" | "kept" | "being-forgotten" | "forgotten" };
  jobs: { reprocess: PhotoJob | null; forgetFaces: PhotoJob | null };
};

export type PhotoJob = {
  jobId: string;
  startedAt: string;
  changedAt: string;
  finishedAt: string | null;
  seen: number;
  changed: number;
  which?: "failed" | "all";
};

export type UploadWithHistory = {
  ulid: string;
  fileName: string;
  photographerId: string | null;
  status: "PROCESSING" | "DONE" | "FAILED" | "DUPLICATE" | "DELETED";
  attempt: number;
  uploadedAt: string;
  changedAt: string;
  failure: { code: string; message: string } | null;
  duplicateOf: string | null;
  history: {
    at: string;
    type: string;
    state: string | null;
    error: string | null;
    reason: { code: string; message: string } | null;
  }[];
};

export type PhotoDeadLetter = {
  id: string;
  queue: string;
  reason: string;
  receives: number;
  sentAt: number;
  body: string;
  eventId: string | null;
  key: string | null;
  ulid: string | null;
  status: "PROCESSING" | "DONE" | "FAILED" | "DUPLICATE" | "DELETED" | null;
};

export type EntrySettingsOutput =
  | {
      eventType: "FIRST_COME";
      capacityTotal: number;
      opensAt: string;
      cancelUntil?: string;
      bibStart: number;
      bibFormat: string;
      closesAt?: string;
    }
  | {
      eventType: "LOTTERY";
      capacityTotal: number;
      opensAt: string;
      cancelUntil?: string;
      bibStart: number;
      bibFormat: string;
      lotteryCutoffAt: string;
      announcedAt: string;
      beaconSource?: string;
    };

export type PhotoSettingsOutput = {
  bibPattern: string;
  watermarkZones: { left: number; top: number; width: number; height: number }[];
  faceIndexing: boolean;
  retentionDays: number;
};

export type Calls = {
  "POST /auth/codes": { body: { email: string }; answer: undefined };
  "POST /auth/sessions": { body: { email: string; code: string }; answer: undefined };
  "DELETE /auth/sessions/current": { answer: undefined };
  "GET /auth/sessions/current": { answer: { me: Me | null } };
  "GET /me": { answer: Me };
  "GET /me/tokens": { query?: { limit?: number; cursor?: string }; answer: { items: ScriptToken[]; cursor?: string } };
  "POST /me/tokens": {
    body: { name: string; days?: number };
    answer: { tokenId: string; name: string; createdAt: string; expiresAt: string; token: string };
  };
  "DELETE /me/tokens/{tokenId}": { path: { tokenId: string }; answer: undefined };
  "GET /admin/organizations": {
    query?: { limit?: number; cursor?: string };
    answer: { items: Organization[]; cursor?: string };
  };
  "POST /admin/organizations": {
    body: {
      orgId?: string;
      name: string;
      subdomain?: string;
      branding?: { accentColor?: string; logoUrl?: string; websiteUrl?: string };
      organizers?: string[];
    };
    answer: Organization;
  };
  "GET /admin/organizations/{orgId}": { path: { orgId: string }; answer: Organization };
  "PATCH /admin/organizations/{orgId}": {
    path: { orgId: string };
    body: {
      name?: string;
      subdomain?: string;
      branding?: { accentColor?: string; logoUrl?: string; websiteUrl?: string };
      active?: boolean;
    };
    answer: Organization;
  };
  "DELETE /admin/organizations/{orgId}": { path: { orgId: string }; query?: { confirm?: string }; answer: undefined };
  "GET /admin/organizations/{orgId}/organizers": {
    path: { orgId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: Organizer[]; cursor?: string };
  };
  "PUT /admin/organizations/{orgId}/organizers/{email}": { path: { orgId: string; email: string }; answer: undefined };
  "DELETE /admin/organizations/{orgId}/organizers/{email}": {
    path: { orgId: string; email: string };
    answer: undefined;
  };
  "GET /events": {
    query?: { limit?: number; cursor?: string; organization?: string; subdomain?: string };
    answer: { items: PublicEvent[]; cursor?: string };
  };
  "GET /events/{eventId}": { path: { eventId: string }; answer: PublicEvent };
  "GET /admin/organizations/{orgId}/events": {
    path: { orgId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: Event[]; cursor?: string };
  };
  "POST /admin/organizations/{orgId}/events": {
    path: { orgId: string };
    body: {
      eventId?: string;
      name: string;
      date: string;
      location?: string;
      timeZone: string;
      displayMode?: "RESULTS_AND_PHOTOS" | "PHOTOS_ONLY";
      published?: boolean;
      photos?: PhotoSettings;
      entry?: EntrySettings | null;
    };
    answer: Event;
  };
  "GET /admin/events/{eventId}": { path: { eventId: string }; answer: Event };
  "PATCH /admin/events/{eventId}": {
    path: { eventId: string };
    body: {
      name?: string;
      date?: string;
      location?: string;
      timeZone?: string;
      displayMode?: "RESULTS_AND_PHOTOS" | "PHOTOS_ONLY";
      published?: boolean;
      photos?: {
        bibPattern?: string;
        watermarkZones?: { left: number; top: number; width: number; height: number }[];
        faceIndexing?: boolean;
        retentionDays?: number;
      };
      entry?: EntrySettings | null;
    };
    answer: Event;
  };
  "DELETE /admin/events/{eventId}": { path: { eventId: string }; query?: { confirm?: string }; answer: undefined };
  "GET /photographers/{photographerId}": { path: { photographerId: string }; answer: Credit };
  "PATCH /photographers/{photographerId}": {
    path: { photographerId: string };
    body: { displayName?: string; instagramHandle?: string | null; websiteUrl?: string | null; bio?: string | null };
    answer: Credit;
  };
  "GET /me/assignments": {
    query?: { limit?: number; cursor?: string };
    answer: { items: PublicEvent[]; cursor?: string };
  };
  "GET /admin/organizations/{orgId}/photographers": {
    path: { orgId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: Photographer[]; cursor?: string };
  };
  "POST /admin/organizations/{orgId}/photographers": {
    path: { orgId: string };
    body: {
      photographerId?: string;
      displayName?: string;
      instagramHandle?: string | null;
      websiteUrl?: string | null;
      bio?: string | null;
      name: string;
      email?: string | null;
      active?: boolean;
    };
    answer: Photographer;
  };
  "GET /admin/organizations/{orgId}/photographers/{photographerId}": {
    path: { orgId: string; photographerId: string };
    answer: Photographer;
  };
  "PATCH /admin/organizations/{orgId}/photographers/{photographerId}": {
    path: { orgId: string; photographerId: string };
    body: {
      displayName?: string;
      instagramHandle?: string | null;
      websiteUrl?: string | null;
      bio?: string | null;
      name?: string;
      email?: string | null;
      active?: boolean;
    };
    answer: Photographer;
  };
  "DELETE /admin/organizations/{orgId}/photographers/{photographerId}": {
    path: { orgId: string; photographerId: string };
    answer: undefined;
  };
  "GET /admin/events/{eventId}/photographers": {
    path: { eventId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: Assignment[]; cursor?: string };
  };
  "PUT /admin/events/{eventId}/photographers/{photographerId}": {
    path: { eventId: string; photographerId: string };
    body: { role?: string };
    answer: undefined;
  };
  "DELETE /admin/events/{eventId}/photographers/{photographerId}": {
    path: { eventId: string; photographerId: string };
    answer: undefined;
  };
  "GET /me/bibs": { query?: { limit?: number; cursor?: string }; answer: { items: MyBib[]; cursor?: string } };
  "GET /admin/events/{eventId}/runners": {
    path: { eventId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: Runner[]; cursor?: string };
  };
  "POST /admin/events/{eventId}/runners": {
    path: { eventId: string };
    body: {
      bib: string;
      name?: string | null;
      finishTime?: string | null;
      gender?: string | null;
      age?: number | null;
      team?: string | null;
      timingResult?: unknown;
      userId?: string | null;
    };
    answer: Runner;
  };
  "POST /admin/events/{eventId}/runners/import": {
    path: { eventId: string };
    query?: { dryRun?: "true" | "false" };
    answer: ImportReport;
  };
  "GET /admin/events/{eventId}/runners.csv": { path: { eventId: string }; answer: undefined };
  "GET /admin/events/{eventId}/runners/{bib}": { path: { eventId: string; bib: string }; answer: Runner };
  "PATCH /admin/events/{eventId}/runners/{bib}": {
    path: { eventId: string; bib: string };
    body: {
      name?: string | null;
      finishTime?: string | null;
      gender?: string | null;
      age?: number | null;
      team?: string | null;
      timingResult?: unknown;
      userId?: string | null;
    };
    answer: Runner;
  };
  "DELETE /admin/events/{eventId}/runners/{bib}": { path: { eventId: string; bib: string }; answer: undefined };
  "POST /events/{eventId}/participations": {
    path: { eventId: string };
    answer: {
      requestId: string;
      eventId: string;
      status: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
      ticket: number | null;
      queuedAt: number | null;
      duplicate?: boolean;
    };
  };
  "GET /requests/{requestId}": { path: { requestId: string }; answer: ParticipationInLine };
  "GET /requests/{requestId}/live": { path: { requestId: string }; answer: undefined };
  "POST /requests/{requestId}/cancellation": { path: { requestId: string }; answer: Participation };
  "GET /me/participations": {
    query?: { limit?: number; cursor?: string };
    answer: { items: Participation[]; cursor?: string };
  };
  "GET /events/{eventId}/entry": { path: { eventId: string }; answer: EntryState };
  "GET /events/{eventId}/draw": { path: { eventId: string }; answer: Draw };
  "GET /events/{eventId}/draw/entrants.txt": { path: { eventId: string }; answer: undefined };
  "GET /events/{eventId}/draw/proof.json": { path: { eventId: string }; answer: string };
  "GET /admin/events/{eventId}/requests": {
    path: { eventId: string };
    query?: {
      limit?: number;
      cursor?: string;
      order?: "queue" | "newest";
      status?: "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
    };
    answer: { items: EntryRequest[]; cursor?: string };
  };
  "GET /admin/events/{eventId}/requests.csv": { path: { eventId: string }; answer: undefined };
  "GET /admin/events/{eventId}/summary": { path: { eventId: string }; answer: EntrySummary };
  "GET /admin/events/{eventId}/fairness": { path: { eventId: string }; answer: EntryFairness };
  "GET /admin/requests/{requestId}": { path: { requestId: string }; answer: EntryRequest };
  "GET /admin/requests/{requestId}/logs": {
    path: { requestId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: RequestLogEntry[]; cursor?: string };
  };
  "GET /admin/events/{eventId}/entry": { path: { eventId: string }; answer: SteeredEntry };
  "POST /admin/events/{eventId}/entry/open": { path: { eventId: string }; answer: EntryState };
  "POST /admin/events/{eventId}/entry/pause": { path: { eventId: string }; answer: EntryState };
  "POST /admin/events/{eventId}/entry/close": { path: { eventId: string }; answer: EntryState };
  "POST /admin/events/{eventId}/entry/announce": { path: { eventId: string }; answer: EntryState };
  "POST /admin/events/{eventId}/entry/draw": {
    path: { eventId: string };
    body: { beaconValue?: string };
    answer: EntryState;
  };
  "GET /admin/events/{eventId}/dead-letters": {
    path: { eventId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: EntryDeadLetter[]; cursor?: string };
  };
  "GET /admin/events/{eventId}/dead-letters/{letterId}": {
    path: { eventId: string; letterId: string };
    answer: EntryDeadLetter;
  };
  "POST /admin/events/{eventId}/dead-letters/redrive": {
    path: { eventId: string };
    body: { ids?: string[] };
    answer: { redriven: number };
  };
  "GET /admin/dead-letters": {
    query?: { limit?: number; cursor?: string };
    answer: { items: EntryDeadLetter[]; cursor?: string };
  };
  "POST /admin/dead-letters/redrive": { body: { ids?: string[] }; answer: { redriven: number } };
  "GET /events/{eventId}/photos": {
    path: { eventId: string };
    query?: { limit?: number; cursor?: string; bib?: string; photographer?: string };
    answer: { items: Photo[]; cursor?: string; bib?: string; nearMisses?: NearMisses };
  };
  "GET /photographers/{photographerId}/photos": {
    path: { photographerId: string };
    query?: { limit?: number; cursor?: string; eventId?: string };
    answer: { items: Photo[]; cursor?: string };
  };
  "GET /events/{eventId}/photos/{ulid}": { path: { eventId: string; ulid: string }; answer: PhotoDetail };
  "GET /events/{eventId}/photos/{ulid}/download": { path: { eventId: string; ulid: string }; answer: undefined };
  "GET /events/{eventId}/photos.zip": {
    path: { eventId: string };
    query?: { bib?: string; ulids?: string };
    answer: undefined;
  };
  "POST /events/{eventId}/selfie-search": {
    path: { eventId: string };
    query?: { bib?: string };
    answer: { faces: number; used: { box: Box }; items: FoundPhoto[] };
  };
  "POST /events/{eventId}/uploads": {
    path: { eventId: string };
    body: {
      files: { name: string; sizeBytes: number; contentType?: string; sha256?: string; uploadId?: string }[];
      photographerId?: string;
    };
    answer: { items: UploadAnswer[] };
  };
  "POST /events/{eventId}/uploads/parts": {
    path: { eventId: string };
    body: { key: string; uploadId: string; sizeBytes: number };
    answer: {
      partSizeBytes: number;
      parts: (
        | { part: number; sizeBytes: number; state: "sent" }
        | { part: number; sizeBytes: number; state: "upload"; upload: SignedUpload }
      )[];
      expiresAt: string;
    };
  };
  "POST /events/{eventId}/uploads/complete": {
    path: { eventId: string };
    body: { key: string; uploadId: string; parts: number };
    answer: { key: string; sizeBytes: number };
  };
  "GET /events/{eventId}/uploads/summary": {
    path: { eventId: string };
    query?: { photographer?: string };
    answer: UploadSummary;
  };
  "GET /events/{eventId}/uploads/failed": {
    path: { eventId: string };
    query?: { limit?: number; cursor?: string; photographer?: string };
    answer: { items: Upload[]; cursor?: string };
  };
  "GET /admin/events/{eventId}/photos/summary": { path: { eventId: string }; answer: PhotoSummary };
  "GET /admin/events/{eventId}/photos/failed": {
    path: { eventId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: Upload[]; cursor?: string };
  };
  "GET /admin/events/{eventId}/uploads/{ulid}": { path: { eventId: string; ulid: string }; answer: UploadWithHistory };
  "POST /admin/events/{eventId}/photos/{ulid}/reprocess": { path: { eventId: string; ulid: string }; answer: Upload };
  "POST /admin/events/{eventId}/photos/reprocess": {
    path: { eventId: string };
    body: { which: "failed" | "all" };
    answer: PhotoJob;
  };
  "DELETE /admin/events/{eventId}/photos/{ulid}": { path: { eventId: string; ulid: string }; answer: undefined };
  "DELETE /admin/events/{eventId}/faces": { path: { eventId: string }; answer: PhotoJob };
  "GET /admin/events/{eventId}/photos/dead-letters": {
    path: { eventId: string };
    query?: { limit?: number; cursor?: string };
    answer: { items: PhotoDeadLetter[]; cursor?: string };
  };
  "GET /admin/events/{eventId}/photos/dead-letters/{letterId}": {
    path: { eventId: string; letterId: string };
    answer: PhotoDeadLetter;
  };
  "POST /admin/events/{eventId}/photos/dead-letters/redrive": {
    path: { eventId: string };
    body: { ids?: string[] };
    answer: { redriven: number };
  };
  "GET /admin/photos/dead-letters": {
    query?: { limit?: number; cursor?: string };
    answer: { items: PhotoDeadLetter[]; cursor?: string };
  };
  "POST /admin/photos/dead-letters/redrive": { body: { ids?: string[] }; answer: { redriven: number } };
};
