import type { VaultStore } from '../../domain/credential/store.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import {
  blankConnection,
  blankSecrets,
  changedConnection,
  changedSecrets,
  checkConnection,
  checkConnectionChange,
  checkGivenAgain,
} from '../../domain/vault-store/connection.ts';
import type { ConnectionChange } from '../../domain/vault-store/connection.ts';
import { newStoreToken, renewed } from '../../domain/vault-store/token.ts';
import { takeToken } from '../../secrets-server/take-token.ts';
import type { SealedConnection } from '../../store/vault.ts';
import { isEmptyChange } from '../body.ts';
import type { JsonObject } from '../body.ts';
import type { Context } from '../context.ts';
import { readConnectionChange } from '../wire/vault-store.ts';

/** What a store of type vault has beside what all stores have. */
type Connected = Pick<VaultStore, 'connection' | 'fingerprints' | 'token'>;

/** Reads the attributes of a new store. Faults are noted. */
export function readNewConnection(body: JsonObject, faults: FieldFaults): SealedConnection {
  const change = readConnectionChange(body, faults);
  checkConnectionChange(change, faults);
  const sealed = changed({ connection: blankConnection, secrets: blankSecrets }, change);
  checkConnection(sealed.connection, sealed.secrets, faults);
  return sealed;
}

/** Connects a store to its secrets server. @throws Refusal `invalid argument` when that does not take the token */
export async function connect(
  context: Context,
  userId: string,
  storeId: string,
  to: SealedConnection,
): Promise<Connected> {
  const ttl = await takeToken(userId, to.connection, to.secrets, context.secretsServerLimits);
  return {
    connection: to.connection,
    fingerprints: fingerprints(context, storeId, to),
    token: newStoreToken((id) => sealedFor(context, id, to), ttl, context.clock.now()),
  };
}

/**
 * Reads the attributes that a change sets; undefined when it sets none. The answer asks the secrets server, with what the
 * store will have then.
 */
export function readStoredChange(
  context: Context,
  body: JsonObject,
  faults: FieldFaults,
): ((seen: VaultStore, userId: string) => Promise<(current: VaultStore) => Connected>) | undefined {
  const change = readConnectionChange(body, faults);
  checkConnectionChange(change, faults);
  if (isEmptyChange(change)) return undefined;
  return async (seen, userId) => {
    const before = context.vault.openConnection(seen.token);
    const to = changed(before, change);
    const wrong = new FieldFaults();
    checkConnection(to.connection, to.secrets, wrong);
    checkGivenAgain(change, before.connection, to, wrong);
    wrong.refuseAny();
    if (to.secrets.token !== before.secrets.token) {
      const connected = await connect(context, userId, seen.id, to);
      return () => connected;
    }
    const ttl = await takeToken(userId, to.connection, to.secrets, context.secretsServerLimits);
    return (current) => ({
      connection: to.connection,
      fingerprints: fingerprints(context, current.id, to),
      token: {
        ...renewed(current.token, ttl, context.clock.now()),
        ...sealedFor(context, current.token.id, to),
      },
    });
  };
}

function sealedFor({ vault }: Context, tokenId: string, to: SealedConnection) {
  return { sealed: vault.sealConnection(tokenId, to), server: new URL(to.connection.address).host };
}

function changed({ connection, secrets }: SealedConnection, change: ConnectionChange): SealedConnection {
  return { connection: changedConnection(connection, change), secrets: changedSecrets(secrets, change) };
}

function fingerprints(
  { vault }: Context,
  storeId: string,
  { secrets }: SealedConnection,
): VaultStore['fingerprints'] {
  const of = (name: string, value: string): string =>
    value === '' ? '' : vault.fingerprint(storeId, name, value);
  return {
    token: of('token', secrets.token),
    clientCertificateKey: of('client_certificate_key', secrets.clientCertificateKey),
  };
}
