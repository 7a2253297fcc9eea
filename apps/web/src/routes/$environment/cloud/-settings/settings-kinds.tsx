/** An engine's root credentials and lease settings as editable records. */
import * as at from '@gatehouse/api-types/console/addresses/cloud';
import {
  cloudLeaseFields,
  cloudLeasePolicy,
  cloudLeaseSettings,
  cloudRoot,
  cloudRootFields,
  cloudRootPolicy,
  fieldsOfCloudLease,
  fieldsOfCloudRoot,
  type CloudLeaseFields,
  type CloudLeaseSettings,
  type CloudRoot,
  type CloudRootFields,
} from '@gatehouse/api-types/console/cloud-engines';
import { Banner } from '@gatehouse/ui/banner';
import { CloudRoleIcon } from '@gatehouse/ui/icon';
import { Timer } from 'lucide-react';
import { codeSetUp } from '#components/form/as-code.ts';
import type { RecordFormSpec } from '#components/form/record-form.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import { cloudLeaseSettings as leaseCalls, cloudRoots } from '#queries/cloud.ts';
import { OtherFields } from '../-roles/OtherFields.tsx';
import { reasonAgainstEngine } from '../may.ts';
import { RootSource } from './RootSource.tsx';
import { leaseAsCode, rootAsCode } from './settings-as-code.ts';

const rootForm: RecordFormSpec<CloudRootFields> = {
  noun: 'root credentials',
  schema: cloudRootFields,
  policy: cloudRootPolicy,
  sections: [
    {
      title: 'Keys',
      description:
        "An IAM user with the permissions the roles need. Leave empty to use the server's own credentials. Saving doesn't test the keys.",
      fields: [
        {
          path: 'access_key',
          label: 'Access key',
          input: { kind: 'text', isMono: true, placeholder: 'AKIA…' },
          requiredBy: ({ secret_key: secret }) =>
            secret === ''
              ? undefined
              : { description: 'Both keys are required together.', error: 'Enter the access key too.' },
        },
        {
          path: 'secret_key',
          label: 'Secret key',
          input: { kind: 'secret' },
          requiredBy: ({ access_key: access }) =>
            access === ''
              ? undefined
              : {
                  description:
                    'The server never returns the secret key, and every save overwrites it. Enter it again.',
                  error: 'Enter the secret key. Every save overwrites the stored one.',
                },
        },
      ],
    },
    {
      title: 'Provider',
      fields: [
        {
          path: 'region',
          label: 'Region',
          description: "Leave empty to use the server's region, or us-east-1 if it has none.",
          input: { kind: 'text', isMono: true, placeholder: 'eu-central-1' },
        },
        {
          path: 'iam_endpoint',
          label: 'IAM endpoint',
          description: "Leave empty for the provider's default.",
          input: { kind: 'text', isMono: true, placeholder: 'https://iam.amazonaws.com' },
        },
        {
          path: 'sts_endpoint',
          label: 'STS endpoint',
          description: "Leave empty for the provider's default.",
          input: { kind: 'text', isMono: true, placeholder: 'https://sts.amazonaws.com' },
        },
        {
          path: 'max_retries',
          label: 'Retries',
          description: "How often the server retries after a temporary failure. -1 uses the SDK's default.",
          input: { kind: 'number', min: -1, max: 100 },
        },
      ],
    },
  ],
  otherLabels: { keys: 'Keys' },
};

export const rootKind: RecordKind<CloudRoot, CloudRootFields, never, CloudRootFields> = {
  calls: cloudRoots,
  noun: 'root credentials',
  icon: CloudRoleIcon,
  nameOf: ({ mount }) => `of ${mount}`,
  reasonAgainst: ({ may }) => reasonAgainstEngine(may, 'update_root'),
  schema: cloudRoot,
  fieldsOf: fieldsOfCloudRoot,
  formOf: () => rootForm,
  bodyOf: (_, { values }) => values,
  guardOf: ({ item, values }) => guardOfRoot(item, values),
  code: {
    of: (fields, { item: { mount } }) => rootAsCode(mount, fields),
    note: () =>
      `The same settings on the command line. ${codeSetUp.secrets} SECRET_KEY stands for the secret key.`,
  },
  asideOf: ({ item }, code) => (
    <div className="flex flex-col gap-6">
      <RootSource root={item} />
      <OtherFields other={item.other} />
      {code}
    </div>
  ),
};

/** Asks before overwriting a key that nobody can read. */
function guardOfRoot(
  { mount, access_key: before }: CloudRoot,
  after: CloudRootFields,
): SaveGuard | undefined {
  if (before === '') return undefined;
  return {
    harm: at.cloudEngines.updateRoot.harm,
    title: `Overwrite the root credentials of ${mount}?`,
    confirmLabel: 'Overwrite root credentials',
    typedName: mount,
    impacts: [
      {
        kind: 'breaks',
        text: `The secret key of ${before} is overwritten. The server can't return it.`,
      },
      ...(after.access_key === before
        ? []
        : [
            {
              kind: 'worth-knowing' as const,
              text:
                after.access_key === ''
                  ? 'The server then uses its own credentials. If it has none, it issues nothing.'
                  : `${after.access_key} needs permission to delete users created by ${before} whose leases still run.`,
            },
          ]),
      {
        kind: 'worth-knowing',
        text: "The new keys aren't tested. Generate credentials to check that they work.",
      },
    ],
  };
}

const leaseForm: RecordFormSpec<CloudLeaseFields> = {
  noun: 'lease settings',
  schema: cloudLeaseFields,
  policy: cloudLeasePolicy,
  sections: [
    {
      title: 'Leases of IAM users',
      description:
        'When a lease ends, its IAM user is deleted at the provider. Temporary credentials have their own durations, set in their roles.',
      fields: [
        {
          path: 'lease',
          label: 'Lease',
          isRequired: true,
          description:
            'How long an IAM user lasts without renewal, such as 30m or 12h. At most the maximum lease.',
          input: { kind: 'duration', none: 'not set' },
        },
        {
          path: 'lease_max',
          label: 'Maximum lease',
          isRequired: true,
          description: 'The longest a lease can last, including renewals.',
          input: { kind: 'duration', none: 'not set' },
        },
      ],
    },
  ],
  otherLabels: { times: 'Lifetime' },
};

export const leaseKind: RecordKind<CloudLeaseSettings, CloudLeaseFields, never, CloudLeaseFields> = {
  calls: leaseCalls,
  noun: 'lease settings',
  icon: Timer,
  nameOf: ({ mount }) => `of ${mount}`,
  reasonAgainst: ({ may }) => reasonAgainstEngine(may, 'update_lease'),
  schema: cloudLeaseSettings,
  fieldsOf: fieldsOfCloudLease,
  formOf: () => leaseForm,
  bodyOf: (_, { values }) => values,
  code: {
    of: (fields, { item: { mount } }) => leaseAsCode(mount, fields),
    note: () => `The same settings on the command line. ${codeSetUp.secrets}`,
  },
  noticeOf: ({ configured }) =>
    configured ? undefined : (
      <Banner tone="info" title="No lease settings are configured" announce="none">
        Until you set a limit, leases last as long as the mount or the server allows.
      </Banner>
    ),
};
