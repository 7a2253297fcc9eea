/** Names of the four services and of environments, and how a user signs in to a service. */
import * as z from 'zod/mini';

export const serviceNames = ['access', 'secrets', 'boxes', 'modules'] as const;
export const serviceName = z.enum(serviceNames);
export type ServiceName = (typeof serviceNames)[number];

/** Determines the environment switch, the gate rail and the guards. */
export const environmentKind = z.enum(['development', 'staging', 'production']);
export type EnvironmentKind = z.output<typeof environmentKind>;

/** An environment's key in the configuration and in URLs: lowercase letters, digits and hyphens. */
export const environmentId = z.string().check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/));

export const signInMethod = z.enum(['password', 'token']);
export type SignInMethod = z.output<typeof signInMethod>;

/** Largest body of a JSON request, in bytes. */
export const jsonLimitBytes = 1024 * 1024;
