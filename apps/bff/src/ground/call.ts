import type { ActivityAction } from '@gatehouse/api-types/console/endpoints';
import type { Harm } from '@gatehouse/api-types/console/harm';

/** The caller, and how to answer in addition to the body. */
export interface Caller {
  readonly requestId: string;
  /** Address of the user's machine. */
  readonly address: string;
  /** The User-Agent header, truncated. */
  readonly userAgent: string;
  /** The port of the Host header, which is part of the cookie's name over http. */
  readonly port: number;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** Adds a Set-Cookie header to the answer. */
  setCookie(value: string): void;
}

/** What a service learns about the caller. */
export type Asker = Pick<Caller, 'requestId' | 'address'>;

/** What `AuditNote.changed` is told if nothing was sent because the record was already as requested. */
export const unchanged = ['unchanged=record'];

/** Reports to the audit trail which record a call is about, if its answer doesn't. */
export interface AuditNote {
  /** The read record, whose names and revision are recorded. */
  saw(stored: object): void;
  /** The fields that a successful write added, changed or removed; recorded instead of the written fields. */
  changed(paths: readonly string[]): void;
  /**
   * Records a change that is one of many of the operation as an entry of its own, so that each record shows who changed
   * it. Never rejects: if recording fails, it is retried later.
   */
  did(change: PartialChange): Promise<void>;
}

/** Stands between the state that a call was judged by and the call's effect. */
export interface Guard {
  /**
   * Lets the call have this effect, once that is recorded.
   * @throws ProblemError `confirmation-required` if the effect requires a recently entered password
   */
  pass(harm: Harm | undefined): Promise<void>;
  /**
   * Notes the account whose token the call uses.
   * @throws ProblemError `not-connected` if the effect was confirmed by another account of the service
   */
  actsAs(at: { readonly environment: string; readonly service: string }, accountId: string): void;
  /** Whether it has let the call through. Until then the call can't write at a service. */
  readonly isPassed: boolean;
}

/** A guard for the code that records its call, just before the guard lets the call through. */
export interface RecordingGuard extends Guard {
  record: () => Promise<unknown>;
}

/** One change of an operation that makes many. */
export interface PartialChange {
  /** The action of the change if it were made alone. */
  readonly action: ActivityAction;
  /** Where it was made, if not where the operation acts. */
  readonly environment?: string;
  readonly service?: string;
  /** The session it was made in, if the operation began it. */
  readonly session?: {
    readonly id: string;
    readonly personId: string;
    readonly personName: string;
    readonly loginName: string;
  };
  /** The record's ID in the trail. */
  readonly id: string;
  readonly paths: readonly string[];
  /** Null or absent if there is none. */
  readonly revisionBefore?: string | null;
  readonly revisionAfter?: string | null;
}
