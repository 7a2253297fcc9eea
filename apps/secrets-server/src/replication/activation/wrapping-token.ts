import type { Barrier } from '../../store/barrier.ts';
import { verifyActivation } from '../link/activation-token.ts';

/** The wrapping token that a text is; an activation token of this cluster has one within. */
export function wrappingTokenOf(barrier: Barrier, text: string): string {
  if (text.startsWith('hvs.')) return text;
  return verifyActivation(text, activationKey(barrier))?.jti ?? text;
}

/** What activation tokens of this cluster are signed with, 32 bytes. */
export function activationKey(barrier: Barrier): Uint8Array {
  return Buffer.from(barrier.hash('replication', 'activation tokens'), 'base64url');
}
