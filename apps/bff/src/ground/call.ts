import type { ActivityAction } from '@gatehouse/api-types/console/endpoints';
import type { Harm } from '@gatehouse/api-types/console/harm';

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

/** Stands between what a call was judged by and what it does. */
export interface Guard {
  /**
   * Lets the call do what has this harm, once that is recorded.
   * @throws ProblemError `confirmation-required` where the harm asks for a password that was not entered lately
   */
  pass(harm: Harm | undefined): Promise<void>;
  /** Whether it has let the call through: until then the call can write nothing at a service. */
  readonly isPassed: boolean;
}

/** A guard as those see it who record its call: as the last thing before it lets the call through. */
export interface RecordingGuard extends Guard {
  record: () => Promise<unknown>;
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
