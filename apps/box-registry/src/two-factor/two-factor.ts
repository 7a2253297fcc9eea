import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Account } from '@gatehouse/service-kit/accounts';
import { networkOf } from '@gatehouse/service-kit/client-address';
import type { Clock } from '@gatehouse/service-kit/clock';
import { rateLimiter, tooMany, type RateLimit } from '@gatehouse/service-kit/rate-limit';
import type { KeyRing } from '@gatehouse/service-kit/secret-box';
import { Refusal, TwoFactorNeeded, notFound, unprocessable } from '../domain/refusal.ts';
import type { DeliveryMethod } from '../domain/refusal.ts';
import { matchingStep, totpOf } from '../domain/totp.ts';
import type { TwoFactorStore } from '../store/two-factor.ts';
import type { CodeSender } from './code-sender.ts';

/** A user's second factor. */
export interface TwoFactorState {
  readonly enabled: boolean;
  readonly deliveryMethods: readonly DeliveryMethod[];
  /** Such as `SMS number ending in 7890`; null without a phone. */
  readonly destination: string | null;
}

export type TwoFactor = ReturnType<typeof twoFactor>;

export interface TwoFactorOptions {
  readonly store: TwoFactorStore;
  readonly keys: KeyRing;
  readonly sender: CodeSender;
  readonly clock: Clock;
}

/** How long a sent code is valid, in milliseconds. */
const sentCodeLifetime = 10 * 60 * 1000;
const secretBytes = 20;
/**
 * Wrong codes of one account from one address. Six digits are few: from all addresses together, one every two minutes.
 */
const guessLimit: RateLimit = { burst: 5, perSecond: 1 / 360 };
/** Codes sent for one account at the request of one address. */
const deliveryLimit: RateLimit = { burst: 3, perSecond: 1 / 60 };
/** Most addresses kept from which accounts have sent right codes. */
const mostKnown = 10_000;

/** Second factors of sign-ins: a code of an app (TOTP), or a code sent to a phone. */
export function twoFactor({ store, keys, sender, clock }: TwoFactorOptions) {
  /** Accounts' addresses that sent a right code: strangers who know the password don't lock these out. */
  const known = new Set<string>();
  const guesses = limitPerAddress(guessLimit, known, clock, 'two-factor codes');
  const deliveries = limitPerAddress(deliveryLimit, known, clock, 'requests for a code');
  const aad = (accountId: string): string => `two_factor/${accountId}`;
  // Six digits can be guessed from a plain hash, so the hash is keyed with a secret that the database has only
  // encrypted.
  const hashOf = (secret: Uint8Array, code: string): Buffer =>
    createHmac('sha256', secret).update(code).digest();

  /** Whether a code is the app's or the sent one. Uses up the code. */
  const accept = async (accountId: string, code: string): Promise<boolean> => {
    const row = store.get(accountId);
    if (row === undefined) return false;
    const secret = keys.open(row.secret, aad(accountId));
    const now = clock.now();
    const sent = store.deliveredCode(accountId);
    if (sent !== undefined && now < sent.expiration_time && timingSafeEqual(sent.hash, hashOf(secret, code)))
      return store.takeDeliveredCode(accountId);
    const step = matchingStep(totpOf(secret), code, now, row.last_step);
    return step !== undefined && store.use(accountId, step);
  };

  const attempt = async (accountId: string, code: string, address: string | undefined): Promise<boolean> => {
    const guess = guesses(accountId, address);
    const isRight = await accept(accountId, code);
    if (isRight) {
      guess.right();
      known.add(guess.key);
      const [oldest] = known;
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    }
    return isRight;
  };

  return {
    state(accountId: string): TwoFactorState {
      const row = store.get(accountId);
      const phone = row?.phone ?? '';
      return {
        enabled: row?.confirmed === 1,
        deliveryMethods: phone === '' ? ['app'] : ['app', 'sms'],
        destination: phone === '' ? null : obfuscated(phone),
      };
    },

    /**
     * Creates a new key for the user's app, which takes effect once `confirm` accepts one of its codes.
     * @param phone where codes can be sent, E.164; empty for none
     * @throws Refusal `unprocessable` if a second factor is already enabled
     */
    async setUp(account: Account, phone: string): Promise<{ readonly secret: string; readonly uri: string }> {
      const secret = randomBytes(secretBytes);
      const isSetUp = await store.put({
        account_id: account.id,
        secret: keys.seal(secret, aad(account.id)),
        phone,
        confirmed: 0,
        last_step: 0,
      });
      if (!isSetUp) throw unprocessable('Two-factor authentication is already enabled: turn it off first');
      const totp = totpOf(secret, account.loginName);
      return { secret: totp.secret.base32, uri: totp.toString() };
    },

    /** @param address the client's @throws Refusal `unprocessable`; HttpError 429 `rate_limited` */
    async confirm(account: Account, code: string, address: string | undefined): Promise<void> {
      const row = store.get(account.id);
      if (row === undefined) throw unprocessable('Two-factor authentication is not set up');
      if (row.confirmed === 1) throw unprocessable('Two-factor authentication is already enabled');
      if (!(await attempt(account.id, code, address)))
        throw unprocessable('The code is incorrect or was already used');
      if (!(await store.confirm(row)))
        throw unprocessable('Two-factor authentication was set up again: send a code of the new key');
    },

    /** @throws Refusal `not found` if there is no second factor */
    async turnOff(accountId: string): Promise<void> {
      if (store.get(accountId) === undefined) throw notFound();
      await store.remove(accountId);
    },

    /**
     * Checks the code of a user with the right password, if the user has a second factor.
     * @param address the client's
     * @throws TwoFactorNeeded without a code
     * @throws Refusal `unauthenticated` for a wrong code; HttpError 429 `rate_limited`
     */
    async check(account: Account, code: string | undefined, address: string | undefined): Promise<void> {
      const { enabled, deliveryMethods } = this.state(account.id);
      if (!enabled) return;
      if (code === undefined || code === '')
        throw new TwoFactorNeeded('Two-factor authentication is enabled: send a code', deliveryMethods);
      if (!(await attempt(account.id, code, address)))
        throw new Refusal('unauthenticated', 'The two-factor code is incorrect or was already used');
    },

    /** Sends a code. @returns its destination @throws Refusal `unprocessable`; HttpError 429 `rate_limited` */
    async sendCode(account: Account, address: string | undefined): Promise<{ readonly destination: string }> {
      const row = store.get(account.id);
      if (row === undefined) throw unprocessable('Two-factor authentication is not set up');
      if (row.phone === '') throw unprocessable('There is no phone number to send a code to');
      deliveries(account.id, address);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await store.putDeliveredCode({
        account_id: account.id,
        hash: hashOf(keys.open(row.secret, aad(account.id)), code),
        expiration_time: clock.now() + sentCodeLifetime,
      });
      await sender.send({ username: account.loginName, phone: row.phone, code });
      return { destination: obfuscated(row.phone) };
    },

    /** The IDs of all accounts that have set up a second factor. */
    accounts: () => store.accounts(),

    /** Removes a deleted user's second factor. */
    removeAccount: (accountId: string): Promise<void> => store.remove(accountId),
  };
}

/**
 * Limits attempts per account and address, and three times as many per account from addresses that aren't known.
 * @param known keys of the addresses that don't count for the account
 * @returns a function that counts an attempt, and throws HttpError 429 `rate_limited` for one that comes too early
 */
function limitPerAddress(
  { burst, perSecond }: RateLimit,
  known: ReadonlySet<string>,
  clock: Clock,
  what: string,
) {
  const ofAddress = rateLimiter({ burst, perSecond }, clock);
  const ofAccount = rateLimiter({ burst: 3 * burst, perSecond: 3 * perSecond }, clock);
  return (accountId: string, address = '') => {
    const key = JSON.stringify([accountId, networkOf(address)]);
    const isKnown = known.has(key);
    const own = ofAddress.take(key);
    if (!own.allowed) throw tooMany(own, what);
    const all = isKnown ? own : ofAccount.take(accountId);
    if (!all.allowed) {
      ofAddress.giveBack(key);
      throw tooMany(all, what);
    }
    return {
      key,
      /** The attempt was right, which also clears the account's wrong ones from this address. */
      right(): void {
        ofAddress.reset(key);
        if (!isKnown) ofAccount.giveBack(accountId);
      },
    };
  };
}

function obfuscated(phone: string): string {
  return `SMS number ending in ${phone.slice(-4)}`;
}
