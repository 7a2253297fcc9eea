/** How an operation of the contract is written in the BFF: a function of the context and of one validated call. */
import type { ActivityAction } from '@gatehouse/api-types/console/activity-actions';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '@gatehouse/api-types/contract';
import type { SignedOutReason } from '#ground/problem.ts';
import type { ActiveSession } from '#session/session.ts';
import type { Context } from './context.ts';

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
  /** Of the record, as the trail calls it. */
  readonly id: string;
  readonly paths: readonly string[];
  /** Null where there is none. */
  readonly revisionBefore: string | null;
  readonly revisionAfter: string | null;
}

/** One validated call of an operation. */
export interface Call<E extends EndpointDefinition> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** What the person saw (`If-Match`); only of guarded operations. */
  readonly revision: E extends { readonly guarded: true } ? string : undefined;
  /** Absent only where an operation is anonymous and the caller has none. */
  readonly session: E extends { readonly anonymous: true } ? ActiveSession | undefined : ActiveSession;
  /** Why there is no session, where there is none. */
  readonly signedOut: SignedOutReason | undefined;
  readonly caller: Caller;
  readonly note: AuditNote;
}

/** The answer of an operation: its body, lines of it one by one for a stream, or nothing for a 204. */
type Answer<E extends EndpointDefinition> = E extends { readonly stream: true }
  ? AsyncIterable<ResponseOf<E>>
  : E extends { readonly response: object }
    ? ResponseOf<E>
    : void;

/** The implementation of one operation. Throws `ProblemError` for what the caller should know. */
export type Operation<Name extends keyof Endpoints> = (
  context: Context,
  call: Call<Endpoints[Name]>,
) => Promise<Answer<Endpoints[Name]>>;

/** One implementation for every operation of the contract. */
export type Operations = { readonly [Name in keyof Endpoints]: Operation<Name> };

/** Checks of a call before it is recorded. Each throws `ProblemError` for a call that is not to be tried. */
export type Preconditions = {
  readonly [Name in keyof Endpoints]?: (context: Context, call: Call<Endpoints[Name]>) => Promise<void>;
};
