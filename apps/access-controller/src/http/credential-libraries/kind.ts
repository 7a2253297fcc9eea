import { newId } from '@gatehouse/service-kit/ids';
import { credentialStorePrefixes } from '../../domain/credential/store.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import {
  blankLibrary,
  changedLibrary,
  checkOverrides,
  formerLibraryType,
  libraryPrefix,
  libraryType,
  mappings,
} from '../../domain/vault-store/library.ts';
import type { CredentialLibrary, LibraryCredentialType } from '../../domain/vault-store/library.ts';
import { MemberReader, isEmptyChange } from '../body.ts';
import type { JsonObject } from '../body.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readLibraryChange, wireCredentialLibrary } from '../wire/credential-library.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { scopeSummaries } from '../wire/scope.ts';

/** /v1/credential-libraries */
export const credentialLibraries: ResourceKind<CredentialLibrary> = {
  type: 'credential-library',
  prefixes: [libraryPrefix],
  container: {
    field: 'credential_store_id',
    prefix: credentialStorePrefixes.vault,
    projectOf: (context, id) => context.credentialStores.get(id)?.projectId,
  },
  store: (context) => context.credentialLibraries,
  readNew(_context, body, faults) {
    checkType(body, faults);
    const label = readNewLabel(body, faults);
    const credentialType = readCredentialType(body, faults) ?? '';
    const change = readLibraryChange(body, faults);
    checkOverrides(credentialType, change.mappingOverrides ?? {}, faults);
    const content = changedLibrary(blankLibrary, { path: '', ...change }, faults);
    return ({ containerId: storeId, ...fresh }) => ({
      ...fresh,
      ...label,
      ...content,
      id: newId(libraryPrefix),
      storeId,
      credentialType,
    });
  },
  readChange(context, id, body, faults) {
    checkType(body, faults, libraryType);
    const label = readLabelChange(body, faults);
    const change = readLibraryChange(body, faults);
    const type = readCredentialType(body, faults);
    const stored = context.credentialLibraries.get(id);
    if (stored !== undefined) {
      if (type !== undefined && type !== stored.credentialType)
        faults.add('credential_type', 'Cannot modify the credential type.');
      checkOverrides(stored.credentialType, change.mappingOverrides ?? {}, faults);
    }
    if (isEmptyChange({ ...label, ...change })) return undefined;
    return (current) => {
      // Checks the body and its method together, since the change may set only one of them and a body needs POST.
      const wrong = new FieldFaults();
      const changed = {
        ...current,
        ...changedLabel(current, label, wrong),
        ...changedLibrary(current, change, wrong),
      };
      wrong.refuseAny();
      return changed;
    };
  },
  toWire(context, role) {
    const scopeOf = scopeSummaries(context.scopes);
    return (library) =>
      wireCredentialLibrary(library, scopeOf(library.projectId), allowedOn('credential-library', role));
  },
};

/** @param missing the type if none is given; without it the type is required */
function checkType(body: JsonObject, faults: FieldFaults, missing = ''): void {
  const type = new MemberReader(body, faults).string('type') ?? missing;
  if (type === libraryType || type === formerLibraryType) return;
  faults.add(
    'type',
    type === ''
      ? 'This is a required field.'
      : `Unknown type provided: this service only has "${libraryType}".`,
  );
}

/** Undefined if it is missing. */
function readCredentialType(body: JsonObject, faults: FieldFaults): LibraryCredentialType | undefined {
  const given = new MemberReader(body, faults).string('credential_type') ?? undefined;
  const type = given === 'unspecified' ? '' : given;
  if (type === undefined || isCredentialType(type)) return type;
  faults.add(
    'credential_type',
    `Unknown credential type. Libraries support ${Object.keys(mappings).slice(1).join(', ')}.`,
  );
  return undefined;
}

function isCredentialType(type: string): type is LibraryCredentialType {
  return Object.hasOwn(mappings, type);
}
