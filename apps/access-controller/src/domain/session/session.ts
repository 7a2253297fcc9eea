import { Refusal } from '../refusal.ts';
import type { Versioned } from '../resource.ts';
import type { TargetType } from '../target/target.ts';

/** In order. The first connection through a worker makes a session active. */
export type SessionStatus = 'pending' | 'active' | 'canceling' | 'terminated';

/** A period in one state. */
export interface SessionState {
  readonly status: SessionStatus;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  /** Milliseconds since the epoch; null for the current state. */
  readonly endTime: number | null;
}

/** Why a session ended; empty until then. */
export type TerminationReason = '' | 'canceled' | 'timed out';

/** A user's permission to connect to a target's endpoint for a limited time. */
export interface Session extends Versioned {
  /** `s_…`. */
  readonly id: string;
  /** The target's values when the session was authorized; the records may have been deleted since. */
  readonly projectId: string;
  readonly targetId: string;
  readonly userId: string;
  readonly authTokenId: string;
  /** Empty if the endpoint is the target's own address. */
  readonly hostId: string;
  /** Empty if the endpoint is the target's own address. */
  readonly hostSetId: string;
  readonly type: TargetType;
  /** `tcp://host:port`. */
  readonly endpoint: string;
  /** Milliseconds since the epoch. */
  readonly expirationTime: number;
  /** -1 means no limit. */
  readonly connectionLimit: number;
  readonly terminationReason: TerminationReason;
  /** Latest first, never empty. */
  readonly states: readonly SessionState[];
}

export const sessionPrefix = 's';

/** The time to close the connections of a canceled session, in milliseconds. */
export const closingTime = 1000;

/** How long a session is kept after its end, in milliseconds. */
export const keptAfterEnd = 60 * 60 * 1000;

export function statusOf(session: Session): SessionStatus {
  return session.states[0]?.status ?? 'terminated';
}

export function firstStates(now: number): readonly SessionState[] {
  return [{ status: 'pending', startTime: now, endTime: null }];
}

/**
 * The next time at which a session changes state automatically, in milliseconds since the epoch; null if there is
 * none.
 */
export function dueTime(session: Session): number | null {
  switch (statusOf(session)) {
    case 'pending':
    case 'active':
      return session.expirationTime;
    case 'canceling':
      return Math.min((session.states[0]?.startTime ?? 0) + closingTime, session.expirationTime);
    case 'terminated':
      return null;
  }
}

/** A session with the state changes that are due at `now`; the same object if none are. */
export function settled(session: Session, now: number): Session {
  const due = dueTime(session);
  if (due === null || now < due) return session;
  const reason = statusOf(session) === 'canceling' ? 'canceled' : 'timed out';
  return { ...enter(session, 'terminated', due), terminationReason: reason };
}

/**
 * A session after cancellation; the same object if it is already canceling.
 * @throws Refusal `failed precondition` if it has ended
 */
export function canceled(session: Session, now: number): Session {
  switch (statusOf(session)) {
    case 'pending':
    case 'active':
      return enter(session, 'canceling', now);
    case 'canceling':
      return session;
    case 'terminated':
      throw new Refusal('failed precondition', 'The session has already ended.');
  }
}

function enter(session: Session, status: SessionStatus, at: number): Session {
  const [current, ...former] = session.states;
  const ended = current === undefined ? [] : [{ ...current, endTime: at }];
  return {
    ...session,
    updatedTime: at,
    states: [{ status, startTime: at, endTime: null }, ...ended, ...former],
  };
}
