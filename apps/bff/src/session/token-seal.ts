import type { Clock } from '@gatehouse/service-kit/clock';
import { SealBroken, type KeyRing } from '@gatehouse/service-kit/secret-box';

/** Where a token belongs: one opened anywhere else does not decrypt. */
export interface TokenPlace {
  readonly sessionId: string;
  readonly environment: string;
  readonly service: string;
}

/**
 * Encrypts tokens of services for storage, each under a data key of its own, bound to its place and to where the service
 * was when it was sealed: one that is configured at another address gets no token of the former one.
 */
export type TokenSeal = ReturnType<typeof tokenSeal>;

/** Key rings are read again at most this often, in milliseconds, for the sake of a token that does not open. */
const reloadEvery = 1_000;

/** Says where a token of a service is sent; undefined for what is sealed for the console itself. */
export type DestinationOf = (environment: string, service: string) => string | undefined;

/**
 * @param load reads the key ring. It is read again when a token does not open: another replica may have sealed it
 * under a key that was added since, and a rotation must sign nobody out.
 */
export function tokenSeal(load: () => KeyRing, clock: Clock, destinationOf: DestinationOf) {
  let keys = load();
  let loadedAt = -Infinity;
  const open = <Result>(work: (ring: KeyRing) => Result): Result => {
    try {
      return work(keys);
    } catch (error) {
      if (!(error instanceof SealBroken) || clock.monotonic() - loadedAt < reloadEvery) throw error;
      loadedAt = clock.monotonic();
      keys = load();
      return work(keys);
    }
  };
  /** What a token at a place is bound to. */
  const boundTo = (place: TokenPlace): string => {
    const { sessionId, environment, service } = place;
    const destination = destinationOf(environment, service);
    const parts = ['token', sessionId, environment, service];
    return JSON.stringify(destination === undefined ? parts : [...parts, destination]);
  };
  return {
    seal: (token: string, place: TokenPlace): string => keys.seal(token, boundTo(place)).toString('base64'),
    /** @throws SealBroken when the text was changed or belongs to another place */
    open: (sealed: string, place: TokenPlace): string =>
      open((ring) => ring.open(Buffer.from(sealed, 'base64'), boundTo(place)).toString('utf8')),
    /**
     * The same token under the newest key-encryption key; undefined when it already is.
     * @throws SealBroken
     */
    renew: (sealed: string, place: TokenPlace): string | undefined => {
      const bytes = Buffer.from(sealed, 'base64');
      return open((ring) =>
        ring.needsRewrap(bytes) ? ring.rewrap(bytes, boundTo(place)).toString('base64') : undefined,
      );
    },
  };
}

/** What is sealed under the newest key; undefined when it is already, or can't be opened any more. */
export function renewedSeal(seal: TokenSeal, sealed: string, place: TokenPlace): string | undefined {
  try {
    return seal.renew(sealed, place);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
