import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Account } from '@gatehouse/service-kit/accounts';
import type { Clock } from '@gatehouse/service-kit/clock';
import { guessLimiter, type KnownAddresses } from '@gatehouse/service-kit/rate-limit';
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
  readonly known: KnownAddresses;
}

/** How long a sent code is valid, in milliseconds. */
const sentCodeLifetime = 10 * 60 * 1000;
const secretBytes = 20;
/**
 * Wrong codes of one account from one address. Six digits are few: from all addresses together, one every two minutes.
 */
const guessLimit = { burst: 5, perSecond: 1 / 360, total: 'account', what: 'two-factor codes' } as const;
/** Codes sent for one account at the request of one address. */
const deliveryLimit = { burst: 3, perSecond: 1 / 60, total: 'account', what: 'code requests' } as const;

/** Second factors of sign-ins: a code of an app (TOTP), or a code sent to a phone. */
export function twoFactor({ store, keys, sender, clock, known }: TwoFactorOptions) {
  const guesses = guessLimiter(guessLimit, clock, known);
  const deliveries = guessLimiter(deliveryLimit, clock, known);
  /** The account's name in encrypted data and limits; not that of passwords, since a right password is no right code. */
  const nameOf = (accountId: string): string => `two_factor/${accountId}`;
  // Six digits can be guessed from a plain hash, so the hash is keyed with a secret that the database has only
  // encrypted.
  const hashOf = (secret: Uint8Array, code: string): Buffer =>
    createHmac('sha256', secret).update(code).digest();

  /** Whether a code is the app's or the sent one. Uses up the code. */
  const accept = async (accountId: string, code: string): Promise<boolean> => {
    const row = store.get(accountId);
    if (row === undefined) return false;
    const secret = keys.open(row.secret, nameOf(accountId));
    const now = clock.now();
    const sent = store.deliveredCode(accountId);
    if (sent !== undefined && now < sent.expiration_time && timingSafeEqual(sent.hash, hashOf(secret, code)))
      return store.takeDeliveredCode(accountId);
    const step = matchingStep(totpOf(secret), code, now, row.last_step);
    return step !== undefined && store.use(accountId, step);
  };

  const attempt = async (accountId: string, code: string, address = ''): Promise<boolean> => {
    const guess = guesses(nameOf(accountId), address);
    const isRight = await accept(accountId, code);
    if (isRight) await guess.right();
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
        secret: keys.seal(secret, nameOf(account.id)),
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
      deliveries(nameOf(account.id), address ?? '');
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await store.putDeliveredCode({
        account_id: account.id,
        hash: hashOf(keys.open(row.secret, nameOf(account.id)), code),
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

function obfuscated(phone: string): string {
  return `SMS number ending in ${phone.slice(-4)}`;
}
