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
export interface TokenSeal {
  seal(token: string, place: TokenPlace): string;
  /** @throws SealBroken when the text was changed or belongs to another place */
  open(sealed: string, place: TokenPlace): string;
  /**
   * The same token under the newest key-encryption key, and bound to its destination; undefined when it already is.
   * @throws SealBroken
   */
  renew(sealed: string, place: TokenPlace): string | undefined;
}

/** Key rings are read again at most this often, in milliseconds, for the sake of a token that does not open. */
const reloadEvery = 1_000;

/** Says where a token of a service is sent; undefined for what is sealed for the console itself. */
export type DestinationOf = (environment: string, service: string) => string | undefined;

/**
 * What begins a text that is bound to a destination. What earlier releases sealed has no mark, and is bound by `renew` when
 * the console starts.
 */
const boundMark = 'to:';

/**
 * @param load reads the key ring. It is read again when a token does not open: another replica may have sealed it
 * under a key that was added since, and a rotation must sign nobody out.
 */
export function tokenSeal(load: () => KeyRing, clock: Clock, destinationOf: DestinationOf): TokenSeal {
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
  /** What is encrypted, and what it is bound to. */
  const parts = (sealed: string, place: TokenPlace): readonly [Buffer, string] =>
    sealed.startsWith(boundMark)
      ? [Buffer.from(sealed.slice(boundMark.length), 'base64'), placeText(place, destinationAt(place))]
      : [Buffer.from(sealed, 'base64'), placeText(place)];
  const destinationAt = ({ environment, service }: TokenPlace): string | null =>
    destinationOf(environment, service) ?? null;
  const seal: TokenSeal['seal'] = (token, place) => {
    const destination = destinationAt(place);
    return destination === null
      ? keys.seal(token, placeText(place)).toString('base64')
      : boundMark + keys.seal(token, placeText(place, destination)).toString('base64');
  };
  const opened: TokenSeal['open'] = (sealed, place) => {
    const [bytes, bound] = parts(sealed, place);
    return open((ring) => ring.open(bytes, bound).toString('utf8'));
  };
  return {
    seal,
    open: opened,
    renew(sealed, place) {
      const isBound = sealed.startsWith(boundMark);
      if (!isBound && destinationAt(place) !== null) return seal(opened(sealed, place), place);
      const [bytes, bound] = parts(sealed, place);
      const mark = isBound ? boundMark : '';
      return open((ring) =>
        ring.needsRewrap(bytes) ? mark + ring.rewrap(bytes, bound).toString('base64') : undefined,
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

function placeText(
  { sessionId, environment, service }: TokenPlace,
  ...destination: (string | null)[]
): string {
  return JSON.stringify(['token', sessionId, environment, service, ...destination]);
}
