/** `snaprace token`: a bearer token for scripts, signed with the installation's secret. */

import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import { LONGEST_TOKEN_DAYS } from "../../platform/access-tokens.ts";
import { OrganizationId, PhotographerId, UserId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { dataOption, describe, parsedBy, print, wholeNumber } from "./command.ts";
import { issueToken } from "./issue-token.ts";
import { configOf } from "./target.ts";

const DAY_MS = 86_400_000;

type Scope = "user" | "org" | "photographer";
type Role = { needs: Scope[]; takes: Scope[] };

const ROLES: { [role: string]: Role } = {
  runner: { needs: ["user"], takes: ["user"] },
  photographer: { needs: ["photographer"], takes: ["photographer", "user"] },
  organizer: { needs: ["org", "user"], takes: ["org", "user"] },
  operator: { needs: [], takes: ["user"] },
};

type Options = {
  role: string;
  user?: string;
  org?: string[];
  photographer?: string[];
  days: number;
  data?: string;
  json?: boolean;
};

export function addToken(commands: Command): void {
  const token = describe(commands.command("token"), "Print a bearer token for scripts, and nothing else.", [
    "token --role organizer --org han-river --user kim",
    "token --role photographer --photographer minji-kim --days 7",
    "token --role operator --json",
  ])
    .addOption(new Option("--role <role>", "whose token").choices(Object.keys(ROLES)).makeOptionMandatory())
    .addOption(new Option("--user <user>", "who it is for").argParser(parsedBy(UserId)))
    .addOption(new Option("--org <org...>", "the organizations it may act for").argParser(several(OrganizationId)))
    .addOption(
      new Option("--photographer <id...>", "the photographers it may act as").argParser(several(PhotographerId)),
    )
    .addOption(
      new Option("--days <n>", "how long it is valid").default(30).argParser(wholeNumber(1, LONGEST_TOKEN_DAYS)),
    )
    .addOption(dataOption());
  token.action(() => {
    const options = token.opts<Options>();
    checkScopes(options);
    const { role, org: organizations = [], photographer: photographers = [], days } = options;
    const userId = options.user ?? photographers[0] ?? "operator";
    const operator = role === "operator";
    const holder = { userId, operator, organizations, photographers, session: false, tokenId: randomUUID() };
    const issued = issueToken(configOf(options), holder, days * DAY_MS);
    const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString();
    print({ json: { token: issued, role, userId, organizations, photographers, expiresAt }, text: issued }, options);
  });
}

/** Commander hands on what it has so far. */
function several(schema: Parameters<typeof parsedBy>[0]) {
  return (text: string, previous: string[] = []) => [...previous, parsedBy(schema)(text)];
}

function checkScopes(options: Options): void {
  const { needs, takes } = ROLES[options.role] as Role;
  const lacking = needs.filter((scope) => options[scope] === undefined);
  if (lacking.length > 0) {
    const flags = lacking.map((scope) => `--${scope}`).join(" and ");
    throw new Problem("invalid", "usage.role-needs", `A token for the role ${options.role} needs ${flags}.`);
  }
  for (const scope of ["user", "org", "photographer"] as const) {
    if (options[scope] === undefined || takes.includes(scope)) continue;
    throw new Problem("invalid", "usage.role-takes", `A token for the role ${options.role} takes no --${scope}.`);
  }
}
