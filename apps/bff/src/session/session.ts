import { passwordCountsMs } from '@gatehouse/api-types/console/harm';
import type { ServiceName, SignInMethod } from '@gatehouse/api-types/console/service';

/** How long sessions last, in milliseconds. */
export const sessionLimits = {
  /** Without activity. */
  idle: 15 * 60_000,
  /** Despite activity. */
  absolute: 8 * 3_600_000,
  /** How long a confirmed password allows dangerous operations. */
  confirmation: passwordCountsMs,
  /** Activity is stored at most this often. Until then, only the process remembers it. */
  activityWrite: 5_000,
  /** How long an ended session is kept, so that its browser can show why the user is signed out. */
  remembered: 24 * 3_600_000,
} as const;

/** A signed-in user in one browser. */
export interface ActiveSession {
  /** Public ID, unlike the cookie's value. */
  readonly id: string;
  readonly personId: string;
  /** Whose turns and limits the session's work counts for. */
  readonly account: string;
  readonly personName: string;
  readonly loginName: string;
  /** Where the user signed in. */
  readonly environment: string;
  readonly service: ServiceName;
  readonly method: SignInMethod;
  readonly signedInAt: number;
  readonly lastActiveAt: number;
  readonly expiresAt: number;
}
