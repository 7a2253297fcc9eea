/**
 * The contract between the page and the backend-for-frontend (BFF): one definition per operation. The BFF's router
 * validates requests with it, the OpenAPI document describes it, and the page's client uses its types with the
 * addresses of `console/addresses/`.
 *
 * Rules for every definition:
 * - An operation that changes something is never a GET, whatever the service behind it uses.
 * - `guarded` operations (updates and deletes) carry the revision that the user saw in `If-Match: "<revision>"`;
 *   without it the BFF answers 428. Creates and actions are not guarded.
 * - `query` schemas parse text, so numbers and booleans in them are coerced.
 * - An operation that changes something, reveals a secret or signs in declares its name in the audit trail, or that it
 *   is not audited.
 * - An operation that can do harm declares it with its address (`console/harm.ts`), which determines the guard.
 */
import type * as z from 'zod/mini';
import type { Address, Method } from './console/addresses/address.ts';
import type { RecordAddresses } from './console/addresses/collection.ts';
import type { ProblemCode } from './console/problem.ts';

export type { Address, Method };

/** What an operation accepts and returns; together with its address, this is its whole declaration. */
export interface OperationDetails {
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The largest body in bytes, if other than `jsonLimitBytes`. */
  readonly bodyLimitBytes?: number;
  /** Absent for 204 without a body. For a stream: one of its lines. */
  readonly response?: z.ZodMiniType;
  /** The response is a stream of JSON texts, one per line (NDJSON, `application/x-ndjson`), sent as they are found. */
  readonly stream?: true;
  /**
   * The problem codes that a caller of this operation handles besides the common ones; `confirmation-required` follows
   * from its harm.
   */
  readonly errors: readonly ProblemCode[];
  /** Requires `If-Match` with the revision that the user saw. */
  readonly guarded?: true;
}

export type EndpointDefinition = Address & OperationDetails;

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;
type Input<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined;

/** Path parameters, decoded. */
export type ParamsOf<E extends EndpointDefinition> = Output<E['params']>;
/** Query values after coercion; the client writes them as text. */
export type QueryOf<E extends EndpointDefinition> = Output<E['query']>;
/** The request body as a caller writes it. */
export type BodyInputOf<E extends EndpointDefinition> = Input<E['body']>;
/** The request body as a handler reads it. */
export type BodyOf<E extends EndpointDefinition> = Output<E['body']>;
/** The response body; `undefined` for 204. */
export type ResponseOf<E extends EndpointDefinition> = Output<E['response']>;

/**
 * Declares a resource's operations by name. They are in a function so that a bundle such as the page's, which only uses
 * a schema of the module, can drop them.
 */
// @__NO_SIDE_EFFECTS__
export function defineResource<Operations>(operations: () => Operations): Operations {
  return operations();
}

/** Combines an address with the rest of the operation's declaration, keeping its exact types. */
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<A extends Address, const Details extends OperationDetails>(
  address: A,
  details: Details,
): A & Details {
  return { ...address, ...details };
}

/** What a record's operations accept and return, and their descriptions. */
export interface RecordDetails<
  Place extends z.ZodMiniType,
  One extends z.ZodMiniType,
  Item extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Changes extends z.ZodMiniType,
> {
  /** The path parameters of the collection. */
  readonly place: Place;
  /** The path parameters of one record. */
  readonly one: One;
  readonly record: Item;
  /** The body of a create. */
  readonly fields: New;
  /** The body of an update: only the changed fields. */
  readonly changes: Changes;
  readonly get: OperationWords;
  readonly create: OperationWords;
  readonly update: OperationWords;
  readonly delete: OperationWords;
}

/** What differs between resources with the same operations. */
export type OperationWords = Pick<OperationDetails, 'summary' | 'errors'>;

/** Operations to read, create, change and delete a resource's records; changes and deletions are guarded. */
export type RecordEndpoints<
  A extends RecordAddresses<string, string>,
  Place extends z.ZodMiniType,
  One extends z.ZodMiniType,
  Item extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Changes extends z.ZodMiniType,
> = {
  readonly get: A['get'] & OperationWords & { readonly params: One; readonly response: Item };
  readonly create: A['create'] &
    OperationWords & { readonly params: Place; readonly body: New; readonly response: Item };
  readonly update: A['update'] &
    OperationWords & {
      readonly params: One;
      readonly body: Changes;
      readonly response: Item;
      readonly guarded: true;
    };
  readonly delete: A['delete'] & OperationWords & { readonly params: One; readonly guarded: true };
};

/** Declares the operations of every record. */
// @__NO_SIDE_EFFECTS__
export function defineRecord<
  A extends RecordAddresses<string, string>,
  Place extends z.ZodMiniType,
  One extends z.ZodMiniType,
  Item extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Changes extends z.ZodMiniType,
>(
  at: A,
  details: RecordDetails<Place, One, Item, New, Changes>,
): RecordEndpoints<A, Place, One, Item, New, Changes> {
  const { place, one, record, fields, changes } = details;
  return {
    get: { ...at.get, ...details.get, params: one, response: record },
    create: { ...at.create, ...details.create, params: place, body: fields, response: record },
    update: { ...at.update, ...details.update, params: one, body: changes, response: record, guarded: true },
    delete: { ...at.delete, ...details.delete, params: one, guarded: true },
  };
}

/** A static header required on every request to /api: a form or image on another site can't send it. */
export const consoleHeader = { name: 'x-gatehouse', value: 'console' } as const;

/** A header of requests that the page makes automatically (polling), which don't count as the user's activity. */
export const pollHeader = { name: 'x-gatehouse-poll', value: '1' } as const;

/**
 * The ID of the person whose page sends the request, in `encodeURI` form, once the page knows it. All tabs share the
 * session's cookie, so it belongs to someone else after they sign in in another tab.
 */
export const personHeader = 'x-gatehouse-person';

/** The user's conflict decisions before a write (`console/decisions.ts`), as JSON text in ASCII. */
export const decisionsHeader = 'x-gatehouse-decisions';
