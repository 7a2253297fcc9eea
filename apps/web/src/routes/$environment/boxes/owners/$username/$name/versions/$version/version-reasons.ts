import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { isUsable } from '#routes/$environment/boxes/-version-grid/version-grid.ts';

/** Why a version can't be released now; undefined if it can. */
export function reasonAgainstReleasing({ status, providers }: BoxVersion): string | undefined {
  if (status === 'active') return 'It is already released.';
  if (status === 'revoked') return 'It was revoked permanently. Publish another version instead.';
  if (providers.length === 0) return 'It has no providers yet. Create one first.';
  if (!providers.some(isUsable)) return 'None of its providers has an image yet. Upload one first.';
  return undefined;
}

/** Why a version can't be revoked; undefined if it can. */
export function reasonAgainstRevoking({ status }: BoxVersion): string | undefined {
  if (status === 'unreleased') return 'Only a released version can be revoked.';
  if (status === 'revoked') return 'It is already revoked.';
  return undefined;
}
