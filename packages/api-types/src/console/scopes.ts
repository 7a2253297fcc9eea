/** Scopes of the access controller: the global scope, organizations and projects. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/access.ts';
import { environmentId } from './service.ts';

/** A record's scope, in the controller's short form. */
export const scopeSummary = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  parent_scope_id: z.string(),
});
export type ScopeSummary = z.output<typeof scopeSummary>;

export const scope = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  /** Empty for the global scope. */
  parent_scope_id: z.string(),
  authorized_actions: z.array(z.string()),
  /** The caller's rights in the scope, by collection: `{targets: ['create', 'list']}`. */
  authorized_collection_actions: z.record(z.string(), z.array(z.string())),
});
export type Scope = z.output<typeof scope>;

export const scopes = defineResource(() => ({
  list: defineEndpoint(at.scopes.list, {
    summary: 'Every scope the caller can see, the global scope first',
    params: z.strictObject({ environment: environmentId }),
    response: z.object({ items: z.array(scope) }),
    errors: ['unauthenticated', 'not-connected', 'no-access', 'forbidden'],
  }),
}));
