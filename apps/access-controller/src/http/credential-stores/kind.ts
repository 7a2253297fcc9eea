import { newId } from '@gatehouse/service-kit/ids';
import { credentialStorePrefix } from '../../domain/credential/store.ts';
import type { CredentialStore } from '../../domain/credential/store.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedIn, allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { isEmptyChange } from '../body.ts';
import { inProject } from '../resource/kind.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkNewType, checkSameType, staticType } from '../wire/static-type.ts';

/** /v1/credential-stores */
export const credentialStores: ResourceKind<CredentialStore> = {
  type: 'credential-store',
  prefixes: [credentialStorePrefix],
  container: inProject,
  store: (context) => context.credentialStores,
  readNew(_context, body, faults) {
    checkNewType(body, true, faults);
    const label = readNewLabel(body, faults);
    return ({ projectId, createdTime, updatedTime, version }) => ({
      id: newId(credentialStorePrefix),
      projectId,
      ...label,
      createdTime,
      updatedTime,
      version,
    });
  },
  readChange(_context, _id, body, faults) {
    checkSameType(body, staticType, faults);
    const change = readLabelChange(body, faults);
    if (isEmptyChange(change)) return undefined;
    return (current) => ({ ...current, ...changedLabel(current, change, new FieldFaults()) });
  },
  toWire(context, role) {
    const scopeOf = scopeSummaries(context.scopes);
    return (store) => ({
      ...wireResource(store, scopeOf(store.projectId)),
      scope_id: store.projectId,
      type: staticType,
      attributes: {},
      authorized_actions: allowedOn('credential-store', role),
      authorized_collection_actions: { credentials: allowedIn('credential', role) },
    });
  },
};
