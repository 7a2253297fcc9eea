/**
 * Addresses of operations: the part of their declaration that callers import. They contain no schemas, so the page can
 * call an operation without bundling its schemas; types find the rest of the declaration by name.
 */

import type { Harm } from '../harm.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The name of an operation in the audit trail, `<kind>.<verb>`, with the resource's kind. */
export type AuditName = `${string}.${string}`;

/** Everything needed to call an operation. */
export interface Address<Name extends string = string> {
  /** Resource and operation as in `endpoints`, for example `hostSets.update`. */
  readonly name: Name;
  readonly method: Method;
  /** In Express form, for example `/api/environments/:environment/access/targets/:id`. */
  readonly path: `/api/${string}`;
  /** May be called without a session. */
  readonly anonymous?: true;
  /**
   * The name in the audit trail; false for a call that is not recorded. Required for operations other than reads; a
   * read has one if it returns so much that reading itself is recorded.
   */
  readonly audit?: AuditName | false;
  /** Changes nothing, although it isn't a GET: it has a body, or its answer must not be kept. */
  readonly reads?: true;
  /**
   * The operation's harm, which determines its guards. If it depends on the call, this is the worst case, and the BFF's
   * implementation determines the actual one (`harm` beside `became`).
   */
  readonly harm?: Harm;
}

type Unnamed = Omit<Address, 'name' | 'method' | 'audit'> &
  (
    | { readonly method: 'GET'; readonly audit?: AuditName }
    | { readonly method: Exclude<Method, 'GET'>; readonly audit: AuditName | false }
  );

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
