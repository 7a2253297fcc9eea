/**
 * The binding between the page and the backend-for-frontend (BFF): one definition per operation, read by the
 * BFF's router (which validates requests with it), by the page's typed client and by the OpenAPI document.
 *
 * Rules every definition keeps:
 * - An operation that changes something is never a GET, whatever the service behind it uses.
 * - `guarded` operations (updates and deletes) carry the revision that the person saw in `If-Match: "<revision>"`;
 *   without it the BFF answers 428. Creates and actions are not guarded.
 * - `query` schemas parse text: a number or a boolean there is a coercion.
 * - What changes something, reveals a secret or signs in says how the audit trail calls it, or that it is not audited.
 */
import type * as z from 'zod/mini';
import type { ActivityAction } from './console/activity-actions.ts';
import type { ProblemCode } from './console/problem.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface AnyEndpoint {
  /** Express form, for example `/api/environments/:environment/access/targets/:id`. */
  readonly path: `/api/${string}`;
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
  /** The problem codes that a caller of this operation handles beside those every operation may answer. */
  readonly errors: readonly ProblemCode[];
  /** May be called without a session. */
  readonly anonymous?: true;
  /** Needs `If-Match` with the revision that the person saw. */
  readonly guarded?: true;
  /** Needs a password (or token) confirmed in the last minutes: always, or in production environments alone. */
  readonly confirm?: 'always' | 'production';
}

interface ReadEndpoint extends AnyEndpoint {
  readonly method: 'GET';
  /** What the audit trail calls a read that takes so much with it that it is recorded; others are when denied. */
  readonly audit?: ActivityAction;
}

interface AuditedEndpoint extends AnyEndpoint {
  readonly method: Exclude<Method, 'GET'>;
  /** What the audit trail calls it; false for what is no record of anyone. */
  readonly audit: ActivityAction | false;
}

export type EndpointDefinition = ReadEndpoint | AuditedEndpoint;

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

/** Declares an operation of the console's own API, keeping its exact types. */
export function defineEndpoint<const E extends EndpointDefinition>(endpoint: E): E {
  return endpoint;
}

/** The static header that every request to /api carries: a form or an image of another site cannot send it. */
export const consoleHeader = { name: 'x-gatehouse', value: 'console' } as const;

/** A request that the page makes by itself (polling) says so with this header: it is not the person's activity. */
export const pollHeader = { name: 'x-gatehouse-poll', value: '1' } as const;

/** Carries the decisions about conflicts that a write was made with (`console/decisions.ts`), as JSON text in ASCII. */
export const decisionsHeader = 'x-gatehouse-decisions';
