import type { ActivityAction } from '@gatehouse/api-types/console/endpoints';

/** Who calls, and how to answer beside the body. */
export interface Caller {
  readonly requestId: string;
  /** Address of the person's machine. */
  readonly address: string;
  /** The User-Agent header, cut to a sane length. */
  readonly userAgent: string;
  /** The port of the Host header, which names the cookie on http. */
  readonly port: number;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** Adds a Set-Cookie header to the answer. */
  setCookie(value: string): void;
}

/** What a service hears of the caller. */
export type Asker = Pick<Caller, 'requestId' | 'address'>;

/** Tells the audit trail which record a call is about, where its answer does not. */
export interface AuditNote {
  /** The record as it was read: its names and its revision are what is recorded. */
  saw(stored: object): void;
  /**
   * Records a change that is one of many of this operation as an entry of its own, so that each record tells who changed
   * it. Never rejects: what cannot be recorded now is recorded later.
   */
  did(change: PartialChange): Promise<void>;
}

/** One change of an operation that makes many. */
export interface PartialChange {
  /** What the change would be called if it were made alone. */
  readonly action: ActivityAction;
  /** Where it was made, if elsewhere than the whole. */
  readonly environment?: string;
  /** Of the record, as the trail calls it. */
  readonly id: string;
  readonly paths: readonly string[];
  /** Null where there is none. */
  readonly revisionBefore: string | null;
  readonly revisionAfter: string | null;
}
