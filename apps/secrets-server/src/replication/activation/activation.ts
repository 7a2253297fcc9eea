import type { Clock } from '@gatehouse/service-kit/clock';
import type { WrapInfo } from '../../core/authorizer.ts';
import { badRequest } from '../../core/refusal.ts';
import type { TokenPerson } from '../../domain/token/token.ts';
import { envelope } from '../../http/envelope.ts';
import { wrapInfo } from '../../identity/authorizer.ts';
import type { Barrier } from '../../store/barrier.ts';
import type { ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { WrappingStore } from '../../store/wrappings.ts';
import { readActivation, signActivation } from '../link/activation-token.ts';
import { issueCredentials } from '../link/certificates.ts';
import { createActivationKeys, decryptWith, encryptFor } from '../link/encrypted-activation.ts';
import type { Patience } from '../link/patience.ts';
import type { SecondaryCredentials } from '../link/types.ts';
import type { PrimaryRole } from '../role/role.ts';
import type { Secondaries } from '../running/secondaries.ts';
import { activationWire, credentialsOf } from './activation-wire.ts';
import { readTrusted } from './trusted.ts';
import { unwrapActivation } from './unwrap.ts';
import { activationKey } from './wrapping-token.ts';

/** A request for a new secondary's activation. */
export interface ActivationRequest {
  /** The ID of the request, for the wrapped answer. */
  readonly requestId: string;
  readonly name: string;
  /** In seconds. */
  readonly ttl: number;
  /** In base64; empty for a wrapped activation. */
  readonly publicKey: string;
  /** The path to report as the origin of the wrapped answer. */
  readonly path: string;
  /** Who makes the request; null for a token without an account. */
  readonly person: TokenPerson | null;
}

/** A secondary's options for redeeming an activation token. */
export interface Redemption {
  readonly token: string;
  /** Overrides the address in the token; empty to use the token's. */
  readonly primaryApiAddress: string;
  /**
   * Paths of a file or folder on this server with the authorities for the primary's certificate; empty for the system's
   * authorities.
   */
  readonly caFile: string;
  readonly caPath: string;
}

/** A redeemed activation. */
export interface Redeemed {
  readonly credentials: SecondaryCredentials;
  /** The API address of the primary; empty if unknown. */
  readonly apiAddress: string;
}

export type Activations = ReturnType<typeof openActivations>;

export interface ActivationParts {
  readonly barrier: Barrier;
  readonly records: ReplicationRecords;
  readonly secondaries: Secondaries;
  readonly wrappings: WrappingStore;
  readonly clock: Clock;
}

const keysName = 'activation_keys';

/** Creates the service that issues this cluster's activations and redeems those of others. */
export function openActivations({ barrier, records, secondaries, wrappings, clock }: ActivationParts) {
  const keys = () => records.read(keysName) as ReturnType<typeof createActivationKeys> | undefined;
  const redeemEncrypted = async ({ token, primaryApiAddress }: Redemption): Promise<Redeemed> => {
    const own = keys();
    const activation = own === undefined ? undefined : decryptWith(own.privateKey, token);
    const credentials = credentialsOf(activation);
    const exp = expiryOf(activation);
    if (credentials === undefined || exp === undefined) {
      throw badRequest(
        "token isn't an activation token, or is encrypted for a different public key than the one from secondary/generate-public-key",
      );
    }
    refuseExpired(exp);
    await records.remove(keysName);
    return { credentials, apiAddress: primaryApiAddress };
  };
  const refuseExpired = (exp: number): void => {
    if (exp * 1000 <= clock.now()) throw badRequest('the activation token has expired; create another one');
  };

  return {
    /** Activates a secondary by a wrapped token, or by a token encrypted to the given public key. */
    async issue(
      role: PrimaryRole,
      addresses: readonly string[],
      addr: string,
      { requestId, name, ttl, publicKey, path, person }: ActivationRequest,
    ): Promise<{ readonly wrapInfo: WrapInfo } | { readonly token: string }> {
      if (publicKey !== '' && !isPublicKey(publicKey))
        throw badRequest("secondary_public_key isn't a public key from secondary/generate-public-key");
      const now = clock.now();
      const iat = Math.floor(now / 1000);
      const exp = iat + ttl;
      return secondaries.add(name, { expireTime: now + ttl * 1000, by: person }, async (id) => {
        const { identity, digestKey } = role;
        const credentials = await issueCredentials(identity, { id, addresses, digestKey });
        if (publicKey !== '') {
          const token = encryptFor(publicKey, { ...activationWire(credentials), exp });
          if (token !== undefined) return { token };
          throw badRequest("this secondary_public_key can't be used for encryption");
        }
        const answer = envelope(
          { id: requestId, mountType: 'system' },
          { data: { ...activationWire(credentials) } },
        );
        const { record, text } = await wrappings.add({ namespace: '', owner: null, ttl, path, answer }, now);
        const token = signActivation({ addr, jti: text, iat, exp }, activationKey(barrier));
        return { wrapInfo: wrapInfo(record, token) };
      });
    },

    /** Redeems a token, which can't be used again. @throws Refusal 400 with the reason */
    async redeem(redemption: Redemption, patience: Patience): Promise<Redeemed> {
      const claims = readActivation(redemption.token);
      if (claims === undefined) return redeemEncrypted(redemption);
      refuseExpired(claims.exp);
      const trusted = await readTrusted(redemption.caFile, redemption.caPath, patience);
      const apiAddress = redemption.primaryApiAddress || claims.addr;
      const credentials = await unwrapActivation(apiAddress, claims.jti, trusted, patience);
      return { credentials, apiAddress };
    },

    /** The public key for encrypting activations to this cluster. A new one is created after one was used. */
    async publicKey(): Promise<string> {
      const known = keys();
      if (known !== undefined) return known.publicKey;
      const made = createActivationKeys();
      await records.save(keysName, made);
      return made.publicKey;
    },
  };
}

/** Whether a text is an X25519 public key in base64. */
function isPublicKey(text: string): boolean {
  return Buffer.from(text, 'base64').length === 32 && /^[A-Za-z0-9+/]{43}=$/.test(text);
}

/** The expiry of an encrypted activation in seconds since the epoch; undefined if it has none. */
function expiryOf(activation: unknown): number | undefined {
  if (typeof activation !== 'object' || activation === null || !('exp' in activation)) return undefined;
  return typeof activation.exp === 'number' ? activation.exp : undefined;
}
