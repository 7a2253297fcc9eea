/**
 * Where operations are: the part of their declaration that a caller carries. It knows no schema, so that the page can
 * call an operation without its schemas; types find the rest of a declaration by its name.
 */

import type { Harm } from '../harm.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The name of a call in the audit trail, `<kind>.<verb>`: the kind is that of the resource. */
export type AuditName = `${string}.${string}`;

/** One operation, as far as it has to be known to call it. */
export interface Address<Name extends string = string> {
  /** `hostSets.update`: its resource and its operation, as `endpoints` holds them. */
  readonly name: Name;
  readonly method: Method;
  /** Express form, for example `/api/environments/:environment/access/targets/:id`. */
  readonly path: `/api/${string}`;
  /** May be called without a session. */
  readonly anonymous?: true;
  /**
   * What the audit trail calls it; false for what is no record of anyone. What changes something, reveals a secret or
   * signs in says one of the two; a read names one where it takes so much with it that reading alone is recorded.
   */
  readonly audit?: AuditName | false;
  /**
   * What it can do that the caller may regret: what is asked first follows from it. Where that depends on the call, this is
   * the worst, and the operation says what it is (`harm` beside `became` in the BFF).
   */
  readonly harm?: Harm;
}

type Unnamed = Omit<Address, 'name' | 'method' | 'audit'> &
  (
    | { readonly method: 'GET'; readonly audit?: AuditName }
    | { readonly method: Exclude<Method, 'GET'>; readonly audit: AuditName | false }
  );

/** The operations of a resource by their names. */
export type Addresses<Resource extends string, Operations> = {
  readonly [Operation in keyof Operations]: Operations[Operation] & {
    readonly name: `${Resource}.${Operation & string}`;
  };
};

/** Names the operations of a resource. */
// @__NO_SIDE_EFFECTS__
export function addresses<
  const Resource extends string,
  const Operations extends Readonly<Record<string, Unnamed>>,
>(resource: Resource, operations: Operations): Addresses<Resource, Operations> {
  const named = Object.entries(operations).map(([operation, rest]) => [
    operation,
    { ...rest, name: `${resource}.${operation}` },
  ]);
  return Object.fromEntries(named) as Addresses<Resource, Operations>;
}
