/** People, their sessions and one-time codes, kept by better-auth in the registry's database. */

import { createHmac, randomBytes } from "node:crypto";
import { Problem } from "../../platform/problem.ts";
import type { RegistryDatabase } from "../database.ts";

export const CODE_MINUTES = 10;
const CODE_TRIES = 5;
const SESSION_DAYS = 30;
const DAY_SECONDS = 86_400;

export type PeopleParts = {
  db: RegistryDatabase;
  secret: Uint8Array;
  publicUrl: string;
  sendCode(email: string, code: string): Promise<void>;
};

export type People = ReturnType<typeof createPeople>;

/** better-auth is loaded when the first person signs in: it takes 12 MB of heap, and tokens are verified without it. */
export function createPeople(parts: PeopleParts) {
  let opened: ReturnType<typeof openAuth> | undefined;
  const open = () => {
    opened ??= openAuth(parts);
    return opened;
  };
  return {
    requestCode: async (email: string) => (await open()).sendVerificationOTP({ body: { email, type: "sign-in" } }),
    /** Answers the session's cookies. */
    signIn: async (email: string, code: string, headers: Headers): Promise<string[]> => {
      const api = await open();
      const signedIn = await api
        .signInEmailOTP({ body: { email, otp: code }, headers, returnHeaders: true })
        .catch(refuseCode);
      return signedIn.headers.getSetCookie();
    },
    /** The session in these cookies, and cookies that prolong it when it is time. */
    currentSession: async (headers: Headers) => {
      const api = await open();
      const { headers: answer, response } = await api.getSession({ headers, returnHeaders: true });
      if (!response) return undefined;
      const { session, user } = response;
      return { sessionId: session.id, userId: user.id, email: user.email, cookies: answer.getSetCookie() };
    },
    signOut: async (headers: Headers): Promise<string[]> => {
      const { headers: answer } = await (await open()).signOut({ headers, returnHeaders: true });
      return answer.getSetCookie();
    },
  };
}

async function openAuth({ db, secret, publicUrl, sendCode }: PeopleParts) {
  const [{ betterAuth }, { emailOTP }] = await Promise.all([import("better-auth"), import("better-auth/plugins")]);
  const auth = betterAuth({
    baseURL: publicUrl,
    secret: keyFrom(secret, "better-auth").toString("base64url"),
    database: { db, type: "postgres" },
    telemetry: { enabled: false },
    logger: { disabled: true },
    user: { modelName: "users", fields: { emailVerified: "email_verified", ...timeFields } },
    session: {
      modelName: "sessions",
      expiresIn: SESSION_DAYS * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...timeFields,
      },
    },
    account: { modelName: "accounts", fields: accountFields },
    verification: { modelName: "verifications", fields: { expiresAt: "expires_at", ...timeFields } },
    advanced: {
      cookiePrefix: "snaprace",
      useSecureCookies: publicUrl.startsWith("https:"),
      // It would take the address from a header that any caller can write.
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => `u_${randomBytes(12).toString("hex")}` },
    },
    plugins: [
      emailOTP({
        otpLength: 6,
        expiresIn: CODE_MINUTES * 60,
        allowedAttempts: CODE_TRIES,
        // A plain hash of six digits is undone in a second; this one needs the secret.
        storeOTP: { hash: async (code) => keyFrom(secret, `code ${code}`).toString("hex") },
        sendVerificationOTP: ({ email, otp }) => sendCode(email, otp),
      }),
    ],
  });
  return auth.api;
}

const timeFields = { createdAt: "created_at", updatedAt: "updated_at" };
const accountFields = {
  accountId: "account_id",
  providerId: "provider_id",
  userId: "user_id",
  accessToken: "access_token",
  refreshToken: "refresh_token",
  idToken: "id_token",
  accessTokenExpiresAt: "access_token_expires_at",
  refreshTokenExpiresAt: "refresh_token_expires_at",
  ...timeFields,
};

function keyFrom(secret: Uint8Array, purpose: string): Buffer {
  return createHmac("sha256", secret).update(purpose).digest();
}

/** One answer for every way a code can be wrong: which one it was is nobody's business but the owner's. */
function refuseCode(error: unknown): never {
  const status = (error as { statusCode?: number }).statusCode;
  if (status === undefined || status >= 500) throw error;
  throw new Problem(
    "unauthenticated",
    "sign-in.wrong-code",
    "The code is wrong, used, or too old. Check it, or ask for a new one.",
    { cause: error },
  );
}
