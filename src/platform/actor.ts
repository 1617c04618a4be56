/** Who is calling, as their token says it: who they are and what they may act for. */

export type Actor = {
  userId: string;
  /** Verified; absent for tokens made on the command line. */
  email?: string;
  operator: boolean;
  /** The organizations they are an organizer of. */
  organizations: string[];
  /** The photographers they are. */
  photographers: string[];
  /** A person at a page, as against a script with a token. */
  session: boolean;
  /** The token's id, or the session's. */
  tokenId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
};
