import { newId } from '@gatehouse/service-kit/ids';
import { credentialStorePrefixes } from '../../domain/credential/store.ts';
import type { CredentialStore } from '../../domain/credential/store.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedIn, allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader, isEmptyChange } from '../body.ts';
import type { JsonObject } from '../body.ts';
import { inProject } from '../resource/kind.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkSameType, staticType } from '../wire/static-type.ts';
import { wireVaultAttributes } from '../wire/vault-store.ts';
import { connect, readNewConnection, readStoredChange } from './vault.ts';

/** /v1/credential-stores. A secrets server is asked before a store of type vault, or a change of one, is taken. */
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
    const relabelled = (current: CredentialStore): CredentialStore => ({
      ...current,
      ...changedLabel(current, change, new FieldFaults()),
    });
    if (connection === undefined) return relabelled;
    return {
      async ask(seen, userId) {
        if (seen.type !== 'vault') return relabelled;
        const connected = await connection(seen, userId);
        return (current) => ({ ...relabelled(current), ...(current.type === 'vault' && connected(current)) });
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
