/**
 * How an operation of the contract is written in the BFF: a function of the context and of one validated call, and beside
 * it what the audit trail has to know of one that is recorded.
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
  /** For work that takes long, in the name of who calls. */
  readonly slices: Slices;
  readonly note: AuditNote;
  readonly guard: Guard;
}

/** The answer of an operation: its body, lines of it one by one for a stream, or nothing for a 204. */
type Answer<E extends EndpointDefinition> = E extends { readonly stream: true }
  ? AsyncIterable<ResponseOf<E>>
  : E extends { readonly response: object }
    ? ResponseOf<E>
    : void;

/** What an operation does. Throws `ProblemError` for what the caller should know. */
type Run<OneCall, OneAnswer> = (context: Context, call: OneCall) => Promise<OneAnswer>;

/**
 * Finds out, in the name of who asks, whether something was done whose answer was lost. Nothing is repeated.
 * @throws ServiceError when the service cannot be read: then nothing is decided
 */
export type WhatBecame = (
  context: Context,
  call: ServiceCall,
  intent: AuditRow,
  wish: Wish,
) => Promise<Became>;

/** What stands beside an operation that is recorded. */
interface Audited<OneCall> {
  /** What the trail says that a call is about, where its resource does not say it. */
  readonly address?: (call: OneCall) => Partial<AuditAddress>;
  readonly became: WhatBecame;
  /**
   * Throws `ProblemError` for a call that is not to be tried, before anything is recorded: of what anybody may try without
   * an account, so that trying alone cannot fill the trail.
   */
  readonly precondition?: Run<OneCall, void>;
  /**
   * What this call can do, where that depends on the call: at most what its address declares; undefined for no harm. Where
   * it depends on what is stored, the operation itself passes the guard of its call, by the very state that it changes.
   */
  readonly harm?: ((call: NoInfer<OneCall>) => Harm | undefined) | 'by stored state';
}

export interface AuditedRun<OneCall, OneAnswer> extends Audited<OneCall> {
  (context: Context, call: OneCall): Promise<OneAnswer>;
}

/** Puts beside an operation what the audit trail has to know of it. */
export function audited<OneCall, OneAnswer>(
  beside: Audited<OneCall>,
  run: Run<OneCall, OneAnswer>,
): AuditedRun<OneCall, OneAnswer> {
  return Object.assign((context: Context, call: OneCall) => run(context, call), beside);
}

/** Says of an operation that its answer, a list without any secret, is sent compressed. */
export function compressed<OneCall, OneAnswer>(run: Run<OneCall, OneAnswer>): Run<OneCall, OneAnswer> {
  return Object.assign((context: Context, call: OneCall) => run(context, call), { isCompressed: true });
}

/** The implementation of one operation; of one that is recorded, with what the audit trail has to know. */
export type Operation<Name extends EndpointName> =
  EndpointOf<Name> extends { readonly audit: ActivityAction }
    ? AuditedRun<Call<EndpointOf<Name>>, Answer<EndpointOf<Name>>>
    : Run<Call<EndpointOf<Name>>, Answer<EndpointOf<Name>>>;

/** An operation as the router knows it: its call is validated at run time. */
export interface BoundOperation {
  readonly run: Run<unknown, unknown>;
  /** Without a connection to one of them in the call's environment the operation does nothing; none of what is the console's own. */
  readonly services: readonly ServiceName[];
  readonly addressOf: (call: RecordedCall) => Partial<AuditAddress>;
  /** Absent of what is not recorded. */
  readonly became?: WhatBecame;
  readonly precondition?: Run<unknown, void>;
  readonly harm?: Audited<unknown>['harm'];
  readonly isCompressed: boolean;
}

/** Every operation of the contract. */
export type Operations = { readonly [Name in EndpointName]: BoundOperation };

/** What the audit trail says of every operation of a resource, where the operation does not say it itself. */
export interface ResourceAudit {
  /** Empty for what is the console's own. */
  readonly service: ServiceName | '';
  /** Which services its operations may be about, where the call says which one. */
  readonly services?: readonly ServiceName[];
  readonly address?: (call: RecordedCall) => Partial<AuditAddress>;
}

/** The operations of one resource: each is named here, and nowhere else in the BFF. */
export function resource<Table extends { readonly [Name in EndpointName]?: Operation<Name> }>(
  audit: ResourceAudit,
  table: Table,
): { readonly [Name in keyof Table]: BoundOperation } {
  const operations: Readonly<Record<string, unknown>> = table;
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, bound(audit, operation as AnyOperation)]),
  ) as { readonly [Name in keyof Table]: BoundOperation };
}

/** An operation with the types of its calls forgotten. */
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
