import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import { credentialLibrary } from '@gatehouse/api-types/services/access-controller';
import { plainBodies } from './bodies.ts';
import { collection } from './collection.ts';
import { commonFieldsOf } from './record-wire.ts';

/** The name that older controllers use for `vault-generic`. */
const formerType = 'vault';

/** /v1/credential-libraries */
export const credentialLibraries = collection({
  kind: 'credential-library',
  container: 'credential_store_id',
  path: 'credential-libraries',
  wire: credentialLibrary,
  itemOf: (from): CredentialLibrary => {
    const common = commonFieldsOf(from);
    return {
      ...common,
      type: common.type === formerType ? 'vault-generic' : common.type,
      credential_store_id: from.credential_store_id,
      attributes: {
        path: from.attributes?.path ?? '',
        http_method: from.attributes?.http_method || 'GET',
        http_request_body: from.attributes?.http_request_body ?? '',
      },
      credential_type: from.credential_type === 'unspecified' ? '' : from.credential_type,
      credential_mapping_overrides: Object.fromEntries(
        Object.entries(from.credential_mapping_overrides ?? {}).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      ),
    };
  },
  ...plainBodies<'credentialLibraries'>(),
});
