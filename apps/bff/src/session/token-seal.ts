import type { KeyRing } from '@gatehouse/service-kit/secret-box';

/** Where a token belongs: one opened anywhere else does not decrypt. */
export interface TokenPlace {
  readonly sessionId: string;
  readonly environment: string;
  readonly service: string;
}

/** Encrypts tokens of services for storage, each under a data key of its own, bound to its place. */
export interface TokenSeal {
  seal(token: string, place: TokenPlace): string;
  /** @throws SealBroken when the text was changed or belongs to another place */
  open(sealed: string, place: TokenPlace): string;
  /** The same token under the newest key-encryption key; undefined when it already is. @throws SealBroken */
  renew(sealed: string, place: TokenPlace): string | undefined;
}

export function tokenSeal(keys: KeyRing): TokenSeal {
  return {
    seal: (token, place) => keys.seal(token, placeText(place)).toString('base64'),
    open: (sealed, place) => keys.open(Buffer.from(sealed, 'base64'), placeText(place)).toString('utf8'),
    renew(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64');
      return keys.needsRewrap(bytes) ? keys.rewrap(bytes, placeText(place)).toString('base64') : undefined;
    },
  };
}

function placeText({ sessionId, environment, service }: TokenPlace): string {
  return JSON.stringify(['token', sessionId, environment, service]);
}
