import { resource } from '#operation/operation.ts';
import { inModules } from '#shared/modules/caller.ts';
import { createModuleToken } from './create-module-token.ts';
import { listModuleTokens } from './list-module-tokens.ts';
import { revokeModuleToken } from './revoke-module-token.ts';

export const moduleTokenOperations = resource(inModules, {
  'moduleTokens.list': listModuleTokens,
  'moduleTokens.create': createModuleToken,
  'moduleTokens.revoke': revokeModuleToken,
});
