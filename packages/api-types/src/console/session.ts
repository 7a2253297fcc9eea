/** Signing in and out, the user's sessions, and the connection to each service. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/session.ts';
import { atMost } from './at-most.ts';
import { asSecret } from './field-kinds.ts';
import { signedOutReason } from './problem.ts';
import { environmentId, environmentKind, serviceName, signInMethod } from './service.ts';

const timestamp = z.string();

export const environmentService = z.object({
  service: serviceName,
  /** How a user signs in to the service. */
  methods: z.array(signInMethod),
  /** Equal for two services, also of different environments, if a login name and its password are one account at both. */
  account_store: z.string(),
});

export const environment = z.object({
  id: environmentId,
  name: z.string(),
  kind: environmentKind,
  services: z.array(environmentService),
  /** The environments whose access controllers have the same accounts as this one's, included: what is done to one is done in all. */
  accounts: z.array(environmentId),
});
export type Environment = z.output<typeof environment>;

export const signInOptions = z.object({ environments: z.array(environment), version: z.string() });
export type SignInOptions = z.output<typeof signInOptions>;

const secretText = (what: string) =>
  asSecret(
    z
      .string()
      .check(
        z.minLength(1, `Enter the ${what}.`),
        z.maxLength(4096, `The ${what} is longer than 4,096 characters.`),
      ),
  );

export const password = secretText('password');

/** A second-factor code from an authenticator or a message. */
export const twoFactorCode = asSecret(
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the code.'),
      atMost(20, 'The code must be 20 characters or fewer.'),
      z.regex(/^[0-9A-Za-z-]*$/, 'A code can only contain letters, digits and dashes.'),
    ),
);

const passwordCredentials = z.strictObject({
  method: z.literal('password'),
  login_name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the login name.'),
      z.maxLength(256, 'The login name is longer than 256 characters.'),
    ),
  password,
  /** For a service that answered `two-factor-required`; other services ignore it. */
  two_factor_code: z.optional(twoFactorCode),
});
const tokenCredentials = z.strictObject({ method: z.literal('token'), token: secretText('token') });

/** The credentials that a user enters for a service. */
export const credentials = asSecret(z.discriminatedUnion('method', [passwordCredentials, tokenCredentials]));
export type Credentials = z.output<typeof credentials>;

export const connectionState = z.enum([
  'connected',
  'not-connected',
  /** The account has no role in the service. */
  'no-access',
  'expired',
  'unreachable',
  'sealed',
  'standby',
]);
export type ConnectionState = z.output<typeof connectionState>;

/** Kinds of secrets servers that the console distinguishes. */
export const serverProducts = ['built-in', 'openbao', 'vault'] as const;
export type ServerProduct = (typeof serverProducts)[number];

/** A service of an environment as this session sees it. */
export const connection = z.object({
  environment: environmentId,
  service: serviceName,
  state: connectionState,
  /** The service's configured address for display; `embedded` for a socket. */
  address: z.string(),
  methods: z.array(signInMethod),
  /** The account in the service; null if not connected. */
  account: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Version reported by the service; null if not reported or not reached. */
  version: z.nullable(z.string()),
  /** The kind of secrets server; null for other services, and if not reached or not reported. */
  product: z.nullable(z.enum(serverProducts)),
  /** The configured namespace of the secrets server; null for the root namespace and other services. */
  namespace: z.nullable(z.string()),
  /** The configured mount of the secrets server's password auth method; null for other services. */
  sign_in_mount: z.nullable(z.string()),
  connected_at: z.nullable(timestamp),
  /** When the service's token expires; null if not reported. */
  expires_at: z.nullable(timestamp),
  /** When the state was last read from the service. */
  checked_at: z.nullable(timestamp),
  /** A sentence if the state needs attention. */
  detail: z.nullable(z.string()),
});
export type Connection = z.output<typeof connection>;

export const session = z.object({
  /** A public handle; the cookie's value is never returned. */
  id: z.string(),
  person: z.object({ id: z.string(), name: z.string(), login_name: z.string() }),
  /** The environment that the user signed in to. */
  environment: environmentId,
  method: signInMethod,
  signed_in_at: timestamp,
  /** Idle timeout; every request by the user extends it. */
  idle_expires_at: timestamp,
  /** Hard limit. */
  expires_at: timestamp,
  /** Until when dangerous operations need no new confirmation, by environment; absent if they need one. */
  confirmed_until: z.record(z.string(), timestamp),
  environments: z.array(environment),
  version: z.string(),
});
export type Session = z.output<typeof session>;

export const sessionSummary = z.object({
  id: z.string(),
  current: z.boolean(),
  signed_in_at: timestamp,
  last_active_at: timestamp,
  expires_at: timestamp,
  address: z.string(),
  /** Browser and system in short form, for example `Chromium 156 on Linux`. */
  client: z.string(),
});
export type SessionSummary = z.output<typeof sessionSummary>;

const serviceParams = z.strictObject({ environment: environmentId, service: serviceName });

/** The possible results of checking credentials with a service. */
const credentialErrors = [
  'sign-in-failed',
  'no-access',
  'two-factor-required',
  'two-factor-unsupported',
  'rate-limited',
  'service-unavailable',
] as const;

export const sessionEndpoints = defineResource(() => ({
  getSignInOptions: defineEndpoint(at.session.getSignInOptions, {
    summary: 'Environments and the ways to sign in to each of their services',
    response: signInOptions,
    errors: [],
  }),
  signIn: defineEndpoint(at.session.signIn, {
    summary: 'Sign in through one service; those of the environment with the same accounts are connected too',
    body: z.strictObject({ environment: environmentId, service: serviceName, credentials }),
    response: session,
    errors: ['invalid-request', ...credentialErrors, 'service-timeout', 'bad-answer'],
  }),
  get: defineEndpoint(at.session.get, {
    summary: 'The session of this browser',
    response: session,
    errors: ['unauthenticated'],
  }),
  find: defineEndpoint(at.session.find, {
    summary: 'The session of this browser, or why there is none',
    response: z.object({ session: z.nullable(session), signed_out: z.nullable(signedOutReason) }),
    errors: [],
  }),
  signOut: defineEndpoint(at.session.signOut, {
    summary:
      'Sign out: end the session and revoke its service tokens, except those of deliveries and moves that continue',
    query: z.strictObject({
      /** Also stops image deliveries to registries; otherwise each keeps its token until it is done. */
      stop_deliveries: z.optional(z.stringbool()),
    }),
    errors: ['unauthenticated'],
  }),
  confirm: defineEndpoint(at.session.confirm, {
    summary: 'Confirm your password or token for a service, before a dangerous operation in that environment',
    body: z.strictObject({
      environment: environmentId,
      /** The service to confirm with, as named by `confirmation-required`. */
      service: z.optional(serviceName),
      secret: secretText('password or token'),
      /** Required after `two-factor-required`. */
      two_factor_code: z.optional(twoFactorCode),
    }),
    response: session,
    errors: ['unauthenticated', ...credentialErrors, 'not-connected', 'not-found'],
  }),
}));

export const sessions = defineResource(() => ({
  list: defineEndpoint(at.sessions.list, {
    summary: 'Your sessions in all browsers',
    response: z.object({ sessions: z.array(sessionSummary) }),
    errors: ['unauthenticated'],
  }),
  end: defineEndpoint(at.sessions.end, {
    summary: 'End one of your sessions',
    params: z.strictObject({ id: z.string() }),
    errors: ['unauthenticated', 'not-found'],
  }),
  endOthers: defineEndpoint(at.sessions.endOthers, {
    summary: 'End all your sessions but this one',
    response: z.object({ ended: z.int() }),
    errors: ['unauthenticated'],
  }),
}));

export const connections = defineResource(() => ({
  list: defineEndpoint(at.connections.list, {
    summary: 'State of every service of every environment for this session',
    query: z.strictObject({ environment: z.optional(environmentId) }),
    response: z.object({ connections: z.array(connection) }),
    errors: ['unauthenticated'],
  }),
  connect: defineEndpoint(at.connections.connect, {
    summary:
      'Connect to a service, and to those of its environment with the same accounts that are not connected',
    params: serviceParams,
    body: z.strictObject({ credentials }),
    response: connection,
    errors: ['unauthenticated', ...credentialErrors, 'service-timeout', 'bad-answer', 'not-found'],
  }),
  disconnect: defineEndpoint(at.connections.disconnect, {
    summary: "Revoke the service's token and forget it",
    params: serviceParams,
    response: connection,
    errors: ['unauthenticated', 'not-found'],
  }),
}));
