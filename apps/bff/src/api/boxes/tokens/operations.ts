import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { createBoxToken } from './create-box-token.ts';
import { deleteBoxToken } from './delete-box-token.ts';
import { listBoxTokens } from './list-box-tokens.ts';
import { validateBoxToken } from './validate-box-token.ts';

export const boxTokenOperations = resource(inBoxes, {
  'boxTokens.create': createBoxToken,
  'boxTokens.validate': validateBoxToken,
  'boxTokens.list': listBoxTokens,
  'boxTokens.delete': deleteBoxToken,
});
