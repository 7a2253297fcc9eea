/**
 * Defines an operation of the contract: a function of the context and a validated call, with what the audit trail needs
 * if the operation is recorded.
 */
import type { ActivityAction, EndpointName, EndpointOf } from '@gatehouse/api-types/console/endpoints';
import type { Harm } from '@gatehouse/api-types/console/harm';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '@gatehouse/api-types/contract';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { Became } from '#audit/became.ts';
import type { AuditAddress, RecordedCall } from '#audit/recording.ts';
import type { Wish } from '#audit/wish.ts';
import type { AuditNote, Caller, Guard } from '#ground/call.ts';
import type { SignedOutReason } from '#ground/problem.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { ActiveSession } from '#session/session.ts';
import type { AuditRow } from '#store/schema.ts';
import type { Context } from './context.ts';

/** A validated call of an operation. */
export interface Call<E extends EndpointDefinition> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The revision that the user saw (`If-Match`); only for guarded operations. */
  readonly revision: E extends { readonly guarded: true } ? string : undefined;
  /** Absent only if an operation is anonymous and the caller has no session. */
  readonly session: E extends { readonly anonymous: true } ? ActiveSession | undefined : ActiveSession;
  /** Why there is no session. */
  readonly signedOut: SignedOutReason | undefined;
  readonly caller: Caller;
  /** For long work, in the caller's name. */
  readonly slices: Slices;
  readonly note: AuditNote;
  readonly guard: Guard;
}

/** An operation's answer: its body, an iterable of lines for a stream, or nothing for a 204. */
type Answer<E extends EndpointDefinition> = E extends { readonly stream: true }
  ? AsyncIterable<ResponseOf<E>>
  : E extends { readonly response: object }
    ? ResponseOf<E>
    : void;

/** Carries out an operation. Throws `ProblemError` for errors that the caller should see. */
type Run<OneCall, OneAnswer> = (context: Context, call: OneCall) => Promise<OneAnswer>;

/**
 * Finds out, as the user who asks, whether a change was made whose answer was lost. Nothing is repeated.
 * @throws ServiceError if the service can't be read; nothing is decided then
 */
export type WhatBecame = (
  context: Context,
  call: ServiceCall & { readonly slices: Slices },
  intent: AuditRow,
  wish: Wish,
) => Promise<Became>;

/** What a recorded operation declares. */
interface Audited<OneCall> {
  /** What a call is about, for the trail, if its resource doesn't say it. */
  readonly address?: (call: OneCall) => Partial<AuditAddress>;
  readonly became: WhatBecame;
  /**
   * Throws `ProblemError` for a call that must not be tried, before anything is recorded. Used for calls that are
   * possible without an account, which could otherwise fill the trail.
   */
  readonly precondition?: Run<OneCall, void>;
  /**
   * The call's possible effect, if it depends on the call: at most what the endpoint declares; undefined for none. If
   * it depends on stored state, the operation itself passes its guard, with the very state that it changes.
   */
  readonly harm?: ((call: NoInfer<OneCall>) => Harm | undefined) | 'by stored state';
}

export interface AuditedRun<OneCall, OneAnswer> extends Audited<OneCall> {
  (context: Context, call: OneCall): Promise<OneAnswer>;
}

/** Adds to an operation what the audit trail needs. */
export function audited<OneCall, OneAnswer>(
  beside: Audited<OneCall>,
  run: Run<OneCall, OneAnswer>,
): AuditedRun<OneCall, OneAnswer> {
  return Object.assign((context: Context, call: OneCall) => run(context, call), beside);
}

/** Marks an operation whose answer, a list without secrets, is sent compressed. */
export function compressed<OneCall, OneAnswer>(run: Run<OneCall, OneAnswer>): Run<OneCall, OneAnswer> {
  return Object.assign((context: Context, call: OneCall) => run(context, call), { isCompressed: true });
}

/** The implementation of one operation, with what the audit trail needs if it is recorded. */
export type Operation<Name extends EndpointName> =
  EndpointOf<Name> extends { readonly audit: ActivityAction }
    ? AuditedRun<Call<EndpointOf<Name>>, Answer<EndpointOf<Name>>>
    : Run<Call<EndpointOf<Name>>, Answer<EndpointOf<Name>>>;

/** An operation for the router, which validates its calls at run time. */
export interface BoundOperation {
  readonly run: Run<unknown, unknown>;
  /**
   * Services of which the user needs a connection to at least one in the environment; empty for the console's own
   * operations.
   */
  readonly services: readonly ServiceName[];
  readonly addressOf: (call: RecordedCall) => Partial<AuditAddress>;
  /** Absent for operations that aren't recorded. */
  readonly became?: WhatBecame;
  readonly precondition?: Run<unknown, void>;
  readonly harm?: Audited<unknown>['harm'];
  readonly isCompressed: boolean;
}

/** All operations of the contract. */
export type Operations = { readonly [Name in EndpointName]: BoundOperation };

/** What the audit trail says about all operations of a resource that don't say it themselves. */
export interface ResourceAudit {
  /** Empty for the console's own resources. */
  readonly service: ServiceName | '';
  /** The possible services, if the call says which one. */
  readonly services?: readonly ServiceName[];
  readonly address?: (call: RecordedCall) => Partial<AuditAddress>;
}

/** The operations of one resource. Each is named only here in the BFF. */
export function resource<Table extends { readonly [Name in EndpointName]?: Operation<Name> }>(
  audit: ResourceAudit,
  table: Table,
): { readonly [Name in keyof Table]: BoundOperation } {
  const operations: Readonly<Record<string, unknown>> = table;
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, bound(audit, operation as AnyOperation)]),
  ) as { readonly [Name in keyof Table]: BoundOperation };
}

/** An operation without the types of its calls. */
type AnyOperation = Run<unknown, unknown> & Partial<Audited<unknown>> & { readonly isCompressed?: true };

function bound({ service, services, address }: ResourceAudit, run: AnyOperation): BoundOperation {
  const { became, precondition, harm, isCompressed = false } = run;
  return {
    run,
    isCompressed,
    services: services ?? (service === '' ? [] : [service]),
    addressOf: (call) => ({ service, ...address?.(call), ...run.address?.(call) }),
    ...(became !== undefined && { became }),
    ...(precondition !== undefined && { precondition }),
    ...(harm !== undefined && { harm }),
  };
}
