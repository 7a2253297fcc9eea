import type { Barrier } from '../../store/barrier.ts';
import { verifyActivation } from '../link/activation-token.ts';

/** Returns the wrapping token in an activation token of this cluster; other texts are returned unchanged. */
export function wrappingTokenOf(barrier: Barrier, text: string): string {
  if (text.startsWith('hvs.')) return text;
  return verifyActivation(text, activationKey(barrier))?.jti ?? text;
}

/** The 32-byte key that signs this cluster's activation tokens. */
export function activationKey(barrier: Barrier): Uint8Array {
  return Buffer.from(barrier.hash('replication', 'activation tokens'), 'base64url');
}
