import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { listScopes } from './list-scopes.ts';

export const scopeOperations = resource(inAccess, { 'scopes.list': listScopes });
