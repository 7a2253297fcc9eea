import { Refusal } from '../refusal.ts';
import type { Versioned } from '../resource.ts';
import type { TargetType } from '../target/target.ts';

/** What a session can be, in the order in which it passes through; a worker makes it active with its first connection. */
export type SessionStatus = 'pending' | 'active' | 'canceling' | 'terminated';

/** A time in which a session was in one state. */
export interface SessionState {
  readonly status: SessionStatus;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  /** Milliseconds since the epoch; null for the current state. */
  readonly endTime: number | null;
}

/** Why a session ended; empty while it has not. */
export type TerminationReason = '' | 'canceled' | 'timed out';

/** The right of a person to connect to a target's endpoint for a while. */
export interface Session extends Versioned {
  /** `s_…`. */
  readonly id: string;
  /** The target's, as all of these were at the time of authorization; what they name may be gone. */
  readonly projectId: string;
  readonly targetId: string;
  readonly userId: string;
  readonly authTokenId: string;
  /** Empty when the endpoint is the target's own address. */
  readonly hostId: string;
  /** Empty when the endpoint is the target's own address. */
  readonly hostSetId: string;
  readonly type: TargetType;
  /** `tcp://host:port`. */
  readonly endpoint: string;
  /** Milliseconds since the epoch. */
  readonly expirationTime: number;
  /** -1 is no limit. */
  readonly connectionLimit: number;
  readonly terminationReason: TerminationReason;
  /** Latest first, never empty. */
  readonly states: readonly SessionState[];
}

/** Prefix of the ids of sessions. */
export const sessionPrefix = 's';

/** How long the connections of a session that is cancelled have to be closed, in milliseconds. */
export const closingTime = 1000;

/** The state that a session is in. */
export function statusOf(session: Session): SessionStatus {
  return session.states[0]?.status ?? 'terminated';
}

/** The states of a new session. */
export function firstStates(now: number): readonly SessionState[] {
  return [{ status: 'pending', startTime: now, endTime: null }];
}

/** When a session changes of itself, in milliseconds since the epoch; null when it will not any more. */
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

/** A session after what time did to it until `now`; itself when nothing was due. */
export function settled(session: Session, now: number): Session {
  const due = dueTime(session);
  if (due === null || now < due) return session;
  const reason = statusOf(session) === 'canceling' ? 'canceled' : 'timed out';
  return { ...enter(session, 'terminated', due), terminationReason: reason };
}

/**
 * A session that is being cancelled; itself when it is already.
 * @throws Refusal `failed precondition` when it has ended
 */
export function cancelled(session: Session, now: number): Session {
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
