import type { Request } from 'express';
import type { Box, VersionStatus } from '../../domain/box.ts';
import type { NamespaceAction } from '../../domain/permissions.ts';
import type { Context } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { boxText } from '../wire/box.ts';

/** The versions that somebody may know of: what is not released is for those alone who see private boxes. */
export function visibleStatuses(actions: readonly NamespaceAction[]): readonly VersionStatus[] {
  return actions.includes('read') ? ['active', 'revoked', 'unreleased'] : ['active', 'revoked'];
}

/** What somebody sees of a box, as JSON text in parts. */
export function* visibleText(
  { versions, publicUrl }: Context,
  req: Request,
  box: Box,
  actions: readonly NamespaceAction[],
): Generator<string> {
  const current = versions.currentOf(box.id, true);
  const all = versions.ofBox(box.id, visibleStatuses(actions), true);
  yield* boxText(apiOf({ publicUrl }, req), box, current, all, true);
}
