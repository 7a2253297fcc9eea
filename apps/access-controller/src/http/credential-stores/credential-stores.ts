import { newId } from '@gatehouse/service-kit/ids';
import {
  type VaultStore,
  credentialStorePrefixes,
  type CredentialStore,
} from '../../domain/credential/store.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedIn, allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import {
  blankConnection,
  blankSecrets,
  changedConnection,
  changedSecrets,
  checkConnection,
  checkConnectionChange,
  checkGivenAgain,
  type ConnectionChange,
} from '../../domain/vault-store/connection.ts';
import { newStoreToken, renewed } from '../../domain/vault-store/token.ts';
import { takeToken } from '../../secrets-server/take-token.ts';
import type { SealedConnection } from '../../store/vault.ts';
import { isEmptyChange, type JsonObject, MemberReader } from '../body.ts';
import type { Context } from '../context.ts';
import { inProject, type ResourceKind } from '../resource/kind.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkSameType, staticType } from '../wire/static-type.ts';
import { readConnectionChange, wireVaultAttributes } from '../wire/vault-store.ts';

/** The additional fields of a store of type vault. */
type Connected = Pick<VaultStore, 'connection' | 'fingerprints' | 'token'>;

/** Reads the attributes of a new store, and adds their faults. */
export function readNewConnection(body: JsonObject, faults: FieldFaults): SealedConnection {
  const change = readConnectionChange(body, faults);
  checkConnectionChange(change, faults);
  const sealed = changed({ connection: blankConnection, secrets: blankSecrets }, change);
  checkConnection(sealed.connection, sealed.secrets, faults);
  return sealed;
}

/** Connects a store to its secrets server. @throws Refusal `invalid argument` if the server refuses the token */
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
 * Reads the attributes that a change sets; undefined if it sets none. The result checks the changed connection with
 * the secrets server.
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

/**
 * /v1/credential-stores. A store of type vault, or a change of one, is stored only after its secrets server accepts
 * the token.
 */
export const credentialStores: ResourceKind<CredentialStore> = {
  type: 'credential-store',
  prefixes: Object.values(credentialStorePrefixes),
  container: inProject,
  store: (context) => context.credentialStores,
  readNew(context, body, faults) {
    const type = readType(body, faults);
    const label = readNewLabel(body, faults);
    const connection = type === 'vault' ? readNewConnection(body, faults) : undefined;
    return async ({ projectId, createdTime, updatedTime, version }, userId) => {
      const common = { projectId, ...label, createdTime, updatedTime, version };
      if (connection === undefined)
        return { ...common, type: 'static', id: newId(credentialStorePrefixes.static) };
      const id = newId(credentialStorePrefixes.vault);
      return { ...common, type: 'vault', id, ...(await connect(context, userId, id, connection)) };
    };
  },
  readChange(context, id, body, faults) {
    const type = id.startsWith(`${credentialStorePrefixes.vault}_`) ? 'vault' : 'static';
    checkSameType(body, type, faults);
    const change = readLabelChange(body, faults);
    const connection = type === 'vault' ? readStoredChange(context, body, faults) : undefined;
    if (isEmptyChange(change) && connection === undefined) return undefined;
    const relabeled = (current: CredentialStore): CredentialStore => ({
      ...current,
      ...changedLabel(current, change, new FieldFaults()),
    });
    if (connection === undefined) return relabeled;
    return {
      async ask(seen, userId) {
        if (seen.type !== 'vault') return relabeled;
        const connected = await connection(seen, userId);
        return (current) => ({ ...relabeled(current), ...(current.type === 'vault' && connected(current)) });
      },
    };
  },
  toWire(context, role) {
    const scopeOf = scopeSummaries(context.scopes);
    const now = context.clock.now();
    return (store) => ({
      ...wireResource(store, scopeOf(store.projectId)),
      scope_id: store.projectId,
      type: store.type,
      attributes: store.type === 'vault' ? wireVaultAttributes(store, now) : {},
      authorized_actions: allowedOn('credential-store', role),
      authorized_collection_actions:
        store.type === 'vault'
          ? { 'credential-libraries': allowedIn('credential-library', role) }
          : { credentials: allowedIn('credential', role) },
    });
  },
};

function readType(body: JsonObject, faults: FieldFaults): CredentialStore['type'] | undefined {
  const type = new MemberReader(body, faults).string('type') ?? '';
  if (type === staticType || type === 'vault') return type;
  faults.add(
    'type',
    type === ''
      ? 'This is a required field.'
      : 'Unknown type provided: this service has "static" and "vault".',
  );
  return undefined;
}
