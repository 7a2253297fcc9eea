/** The form of a target's endpoint and sources. */
import { targetFields, targetPolicy } from '@gatehouse/api-types/console/targets';
import { record, scalar, set } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import type { FieldSpec, MembersInput, RecordFormSpec } from '#components/form/record-form.ts';
import { kindLabels } from '#components/source/kind-labels.ts';
import type { CredentialKind } from '#queries/target-sources.ts';

export interface SourceValues {
  address: string;
  host_source_ids: string[];
  brokered_credential_source_ids: string[];
  injected_application_credential_source_ids: string[];
  application_credential_source_ids: string[];
}

const ids = z.array(z.string());
const schema = z
  .strictObject({
    address: targetFields.shape.address,
    host_source_ids: ids,
    brokered_credential_source_ids: ids,
    injected_application_credential_source_ids: ids,
    application_credential_source_ids: ids,
  })
  .check(
    z.superRefine(({ address, host_source_ids: hosts }, context) => {
      if (address === '' || hosts.length === 0) return;
      context.addIssue({
        code: 'custom',
        path: ['address'],
        message: "A target can't have both an address and host sources. Clear one of them.",
      });
    }),
  );

const policy = record(
  {
    address: scalar,
    host_source_ids: set,
    brokered_credential_source_ids: set,
    injected_application_credential_source_ids: set,
    application_credential_source_ids: set,
  },
  { groups: (targetPolicy.groups ?? []).filter(({ name }) => name === 'endpoint') },
);

const about: Readonly<Record<CredentialKind, string>> = {
  brokered_credential_source_ids: 'Shown to the user when a session is opened.',
  injected_application_credential_source_ids:
    'Entered into the session by a worker. The user never sees them.',
  application_credential_source_ids: 'The old name for brokered credentials, for older clients.',
};

/**
 * The form for these values: a target has either an address or host sources.
 * @param mayInject whether the target's type supports injected credentials, or it has some that can be removed
 */
export function sourceForm(
  { address, host_source_ids: hosts }: Pick<SourceValues, 'address' | 'host_source_ids'>,
  hostInput: MembersInput,
  credentialInput: (kind: CredentialKind) => MembersInput,
  mayInject: boolean,
): RecordFormSpec<SourceValues> {
  const hasBoth = address.trim() !== '' && hosts.length > 0;
  const credentialField = (path: CredentialKind): FieldSpec<SourceValues> => ({
    path,
    label: kindLabels[path],
    description: about[path],
    input: credentialInput(path),
  });
  return {
    noun: 'target',
    schema,
    policy,
    otherLabels: { endpoint: 'Endpoint' },
    sections: [
      {
        title: 'Endpoint',
        description:
          'A session connects to the address, or to a host from the host sources. To switch, clear one, fill in the other, then save.',
        fields: [
          {
            path: 'address',
            label: 'Address',
            input: { kind: 'text', isMono: true, ...(hosts.length === 0 && { placeholder: 'db.internal' }) },
            description: 'A host name or an IP address, without a port.',
            ...(!hasBoth &&
              hosts.length > 0 && {
                disabledReason: "A target with host sources can't have an address. Remove them to enter one.",
              }),
          },
          {
            path: 'host_source_ids',
            label: kindLabels.host_source_ids,
            input: hostInput,
            description: 'Host sets from any catalog of the project.',
            ...(!hasBoth &&
              address.trim() !== '' && {
                disabledReason: "A target with an address can't have host sources. Clear the address first.",
              }),
          },
        ],
      },
      {
        title: 'Credentials',
        description: "Where a session's credentials come from.",
        fields: [
          credentialField('brokered_credential_source_ids'),
          {
            ...credentialField('injected_application_credential_source_ids'),
            ...(!mayInject && {
              disabledReason: "A worker can't enter credentials into sessions of a TCP target.",
            }),
          },
          credentialField('application_credential_source_ids'),
        ],
      },
    ],
  };
}

/** The form is built again when this key changes. */
export function formKey({ address, host_source_ids: hosts }: SourceValues): string {
  return `${address.trim() === '' ? '' : 'address'} ${hosts.length === 0 ? '' : 'hosts'}`;
}
