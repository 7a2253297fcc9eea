/**
 * The binding between the page and the backend-for-frontend (BFF): one definition per operation, read by the
 * BFF's router (which validates requests with it), by the OpenAPI document and, as types alone, by the page's client,
 * which carries addresses (`console/addresses/`).
 *
 * Rules every definition keeps:
 * - An operation that changes something is never a GET, whatever the service behind it uses.
 * - `guarded` operations (updates and deletes) carry the revision that the person saw in `If-Match: "<revision>"`;
 *   without it the BFF answers 428. Creates and actions are not guarded.
 * - `query` schemas parse text: a number or a boolean there is a coercion.
 * - What changes something, reveals a secret or signs in says how the audit trail calls it, or that it is not audited.
 * - What its caller may regret says with its address what harm it can do (`console/harm.ts`): what is asked first follows.
 */
import type * as z from 'zod/mini';
import type { Address, Method } from './console/addresses/address.ts';
import type { RecordAddresses } from './console/addresses/collection.ts';
import type { ProblemCode } from './console/problem.ts';

export type { Address, Method };

/** What an operation takes and answers; with its address it is the whole of its declaration. */
export interface OperationDetails {
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The largest body in bytes, where it is another than `jsonLimitBytes`. */
  readonly bodyLimitBytes?: number;
  /** Absent: the operation answers 204 without a body. Of a stream: one of its lines. */
  readonly response?: z.ZodMiniType;
  /** The answer is not one JSON text but many, one a line (NDJSON, `application/x-ndjson`), sent as they are found. */
  readonly stream?: true;
  /**
   * The problem codes that a caller of this operation handles beside those every operation may answer;
   * `confirmation-required` follows from its harm.
   */
  readonly errors: readonly ProblemCode[];
  /** Needs `If-Match` with the revision that the person saw. */
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
/** The answer; `undefined` for 204. */
export type ResponseOf<E extends EndpointDefinition> = Output<E['response']>;

/**
 * Declares a resource: its operations by their names. They stand in a function, so that whoever needs no more than a
 * schema of the same module, as the page does, does not carry them.
 */
// @__NO_SIDE_EFFECTS__
export function defineResource<Operations>(operations: () => Operations): Operations {
  return operations();
}

/** Declares the operation that an address leads to, keeping its exact types. */
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<A extends Address, const Details extends OperationDetails>(
  address: A,
  details: Details,
): A & Details {
  return { ...address, ...details };
}

/** What the operations of a record take and answer, and what is said of each. */
export interface RecordDetails<
  Place extends z.ZodMiniType,
  One extends z.ZodMiniType,
  Item extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Changes extends z.ZodMiniType,
> {
  /** The parameters that name the collection. */
  readonly place: Place;
  /** The parameters that name one record. */
  readonly one: One;
  readonly record: Item;
  /** What a new record is created from. */
  readonly fields: New;
  /** The changed fields alone. */
  readonly changes: Changes;
  readonly get: OperationWords;
  readonly create: OperationWords;
  readonly update: OperationWords;
  readonly delete: OperationWords;
}

/** What differs between resources whose operations are otherwise the same. */
export type OperationWords = Pick<OperationDetails, 'summary' | 'errors'>;

/** Reading, creating, changing and deleting the records of a resource: changes and deletions are guarded. */
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

/** Declares the operations that every record has. */
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

/** The static header that every request to /api carries: a form or an image of another site cannot send it. */
export const consoleHeader = { name: 'x-gatehouse', value: 'console' } as const;

/** A request that the page makes by itself (polling) says so with this header: it is not the person's activity. */
export const pollHeader = { name: 'x-gatehouse-poll', value: '1' } as const;

/**
 * The ID of the person whose page sends the request, as `encodeURI` writes it, once the page knows. The session's cookie is
 * the browser's: after someone else has signed in in another tab, it is theirs in this page too.
 */
export const personHeader = 'x-gatehouse-person';

/** Carries the decisions about conflicts that a write was made with (`console/decisions.ts`), as JSON text in ASCII. */
export const decisionsHeader = 'x-gatehouse-decisions';
