/**
 * Sessions of the access controller: a user's permission to reach a target for a limited time. Called access sessions
 * in names, because "session" means a sign-in to the console.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/access.ts';
import { environmentParams, idParams, pageOf, pageQuery } from './record-fields.ts';
import { scopeSummary } from './scopes.ts';
import { credentialSourceSummary } from './targets.ts';

export const accessSessionStatuses = ['pending', 'active', 'canceling', 'terminated'] as const;
export type AccessSessionStatus = (typeof accessSessionStatuses)[number];

export const accessSession = z.object({
  id: z.string(),
  /** The controller's version, as an opaque string. */
  revision: z.string(),
  scope_id: z.string(),
  scope: scopeSummary,
  type: z.string(),
  /** One of `accessSessionStatuses`; a controller may have others. */
  status: z.string(),
  /** Newest first. `end_time` is empty for the current state. */
  states: z.array(z.object({ status: z.string(), start_time: z.string(), end_time: z.string() })),
  created_time: z.string(),
  updated_time: z.string(),
  /** When the session expires. */
  expiration_time: z.string(),
  /** Why the session ended; empty until then. */
  termination_reason: z.string(),
  target_id: z.string(),
  /** Empty if the target is deleted or not visible to the caller. */
  target_name: z.string(),
  user_id: z.string(),
  /** Empty if the user is deleted or not visible to the caller. */
  user_name: z.string(),
  host_set_id: z.string(),
  host_id: z.string(),
  endpoint: z.string(),
  /** Most connections; -1 for no limit, null if the controller doesn't report it. */
  connection_limit: z.nullable(z.int()),
  /** What the caller may do: `read` or `read:self`, `cancel` or `cancel:self`. */
  authorized_actions: z.array(z.string()),
});
export type AccessSession = z.output<typeof accessSession>;

/** A credential issued with a session. Injected credentials are not returned. */
export const sessionCredential = z.object({
  credential_source: credentialSourceSummary,
  secret: z.nullable(
    z.object({
      /** Base64 of the provider's raw value. */
      raw: z.string(),
      /**
       * The fields of the raw value, if it is a JSON object, as text: numbers as written, lists as JSON, and nested
       * fields under names such as `database.password`. For a versioned key-value engine, the secret's own fields.
       */
      decoded: z.nullable(z.record(z.string(), z.string())),
    }),
  ),
  /**
   * The fields of the typed credential, such as `username` and `password`, as text in the same form; empty without a
   * type.
   */
  credential: z.record(z.string(), z.string()),
});
export type SessionCredential = z.output<typeof sessionCredential>;

export const sessionAuthorization = z.object({
  session_id: z.string(),
  target_id: z.string(),
  scope: scopeSummary,
  created_time: z.string(),
  user_id: z.string(),
  host_set_id: z.string(),
  host_id: z.string(),
  type: z.string(),
  /** For the client's command; only opens this session. */
  authorization_token: z.string(),
  /** Most connections; -1 for no limit, null if the controller doesn't report it. */
  connection_limit: z.nullable(z.int()),
  /** `tcp://host:port` */
  endpoint: z.string(),
  endpoint_port: z.nullable(z.int()),
  /** When the session expires. */
  expiration: z.string(),
  credentials: z.array(sessionCredential),
});
export type SessionAuthorization = z.output<typeof sessionAuthorization>;

export const accessSessions = defineResource(() => ({
  authorize: defineEndpoint(at.accessSessions.authorize, {
    summary: 'Authorize a session on a target; its credentials are returned once',
    params: idParams,
    body: z.strictObject({
      /** A host of the target's host sets; the controller chooses one unless given. */
      host_id: z.optional(z.string()),
    }),
    response: sessionAuthorization,
    errors: [
      'unauthenticated',
      'not-connected',
      'no-access',
      'forbidden',
      'not-found',
      'invalid-request',
      'outcome-unknown',
    ],
  }),
  authorizeByName: defineEndpoint(at.accessSessions.authorizeByName, {
    summary: 'Authorize a session on a target, given its name and scope',
    params: environmentParams,
    body: z
      .strictObject({
        name: z.string().check(z.minLength(1, "Enter the target's name.")),
        /** Exactly one of the two. */
        scope_id: z.optional(z.string().check(z.minLength(1))),
        scope_name: z.optional(z.string().check(z.minLength(1))),
        host_id: z.optional(z.string()),
      })
      .check(
        z.refine(({ scope_id, scope_name }) => (scope_id === undefined) !== (scope_name === undefined), {
          path: ['scope_id'],
          message: 'Enter either the ID or the name of the scope.',
        }),
      ),
    response: sessionAuthorization,
    errors: [
      'unauthenticated',
      'not-connected',
      'no-access',
      'forbidden',
      'not-found',
      'invalid-request',
      'outcome-unknown',
    ],
  }),
  list: defineEndpoint(at.accessSessions.list, {
    summary: 'A page of the sessions in a scope',
    params: environmentParams,
    query: z.strictObject({
      /** A project; any scope with `recursive`. */
      scope_id: z.string(),
      recursive: z.optional(z.stringbool()),
      include_terminated: z.optional(z.stringbool()),
      ...pageQuery,
    }),
    response: pageOf(accessSession),
    errors: ['unauthenticated', 'not-connected', 'no-access', 'forbidden', 'invalid-request', 'not-found'],
  }),
  get: defineEndpoint(at.accessSessions.get, {
    summary: 'One session',
    params: idParams,
    response: accessSession,
    errors: ['unauthenticated', 'not-connected', 'no-access', 'forbidden', 'not-found'],
  }),
  cancel: defineEndpoint(at.accessSessions.cancel, {
    summary: 'Cancel a session; its connections are closed',
    params: idParams,
    response: accessSession,
    errors: [
      'unauthenticated',
      'not-connected',
      'no-access',
      'forbidden',
      'not-found',
      'invalid-request',
      'conflict',
      'revision-required',
      'outcome-unknown',
    ],
    guarded: true,
  }),
}));
