import type { FieldFaults } from '../../domain/refusal.ts';
import { libraryType } from '../../domain/vault-store/library.ts';
import type { CredentialLibrary, LibraryChange } from '../../domain/vault-store/library.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';
import { readAttributes } from './attributes.ts';
import { wireResource } from './resource.ts';
import type { WireScopeSummary } from './scope.ts';

export function wireCredentialLibrary(
  library: CredentialLibrary,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    ...wireResource(library, scope),
    credential_store_id: library.storeId,
    type: libraryType,
    attributes: {
      path: library.path,
      http_method: library.httpMethod,
      http_request_body: library.httpRequestBody,
    },
    credential_type: library.credentialType,
    credential_mapping_overrides: library.mappingOverrides,
    authorized_actions: actions,
  };
}

/** Reads the fields that a body sets, and adds their faults. */
export function readLibraryChange(body: JsonObject, faults: FieldFaults): LibraryChange {
  const attributes = readAttributes(body, ['path', 'http_method', 'http_request_body'], faults);
  const overrides = new MemberReader(body, faults).object('credential_mapping_overrides');
  return {
    path: attributes.string('path'),
    httpMethod: attributes.string('http_method'),
    httpRequestBody: attributes.string('http_request_body'),
    mappingOverrides:
      overrides === undefined || overrides === null ? overrides : readOverrides(overrides, faults),
  };
}

function readOverrides(overrides: JsonObject, faults: FieldFaults): Readonly<Record<string, string | null>> {
  const members = new MemberReader(overrides, faults, 'credential_mapping_overrides.');
  return Object.fromEntries(Object.keys(overrides).map((name) => [name, members.string(name) ?? null]));
}
