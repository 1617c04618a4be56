/** The parts of an OpenAPI 3.1 document that the reference reads, with the two fields SnapRace adds to operations. */

export type Reference = { $ref: string };
type OrReference<T> = T | Reference;

export type Document = {
  info?: { title?: string; version?: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  security?: object[];
  components?: { securitySchemes?: Record<string, OrReference<SecurityScheme>> };
  paths?: Record<string, PathItem>;
};

type SecurityScheme = { type?: string; scheme?: string; description?: string };

export const METHODS = ["get", "post", "put", "patch", "delete", "head", "options", "trace"] as const;

export type PathItem = { parameters?: OrReference<GivenParameter>[] } & {
  [method in (typeof METHODS)[number]]?: GivenOperation;
};

export type GivenOperation = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: object[];
  parameters?: OrReference<GivenParameter>[];
  requestBody?: OrReference<GivenBody>;
  responses?: Record<string, OrReference<GivenResponse>>;
  /** Who may call it, as a sentence. */
  "x-access"?: string;
  "x-problems"?: ProblemCode[];
};

/** A problem's dotted code, and when the operation answers with it. */
export type ProblemCode = { code: string; status: number; when: string };

export type GivenParameter = GivenValue & {
  name: string;
  in: string;
  required?: boolean;
  deprecated?: boolean;
  description?: string;
};

export type GivenBody = { description?: string; required?: boolean; content?: Record<string, GivenValue> };

export type GivenResponse = {
  description?: string;
  headers?: Record<string, OrReference<GivenHeader>>;
  content?: Record<string, GivenValue>;
};

export type GivenHeader = GivenValue & { description?: string; required?: boolean };

export type GivenValue = {
  schema?: unknown;
  example?: unknown;
  examples?: Record<string, OrReference<{ value?: unknown }>>;
};
