import { passwordCountsMs } from '@gatehouse/api-types/console/harm';
import type { ServiceName, SignInMethod } from '@gatehouse/api-types/console/service';

/** How long sessions last, in milliseconds. */
export const sessionLimits = {
  /** Without activity. */
  idle: 15 * 60_000,
  /** Whatever happens. */
  absolute: 8 * 3_600_000,
  /** How long a confirmed password opens dangerous operations. */
  confirmation: passwordCountsMs,
  /** Activity is written down at most this often; between two writes it is remembered by the process alone. */
  activityWrite: 5_000,
  /** How long an ended session is kept, so that its browser can be told why it is signed out. */
  remembered: 24 * 3_600_000,
} as const;

/** A person who is signed in, in one browser. */
export interface ActiveSession {
  /** Public handle; not the cookie's value. */
  readonly id: string;
  readonly personId: string;
  readonly personName: string;
  readonly loginName: string;
  /** Where the person signed in. */
  readonly environment: string;
  readonly service: ServiceName;
  readonly method: SignInMethod;
  readonly signedInAt: number;
  readonly lastActiveAt: number;
  readonly expiresAt: number;
}
