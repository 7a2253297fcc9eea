/** The forms of boxes, versions and providers. */
import { architectureName, ownerName, providerName } from '@gatehouse/api-types/console/box-names';
import { unknownArchitecture } from '@gatehouse/api-types/console/box-values';
import {
  boxFields,
  boxPolicy,
  checksumProblem,
  checksumTypes,
  imageUrl,
  providerPolicy,
  versionFields,
  versionPolicy,
  type BoxFields,
  type ChecksumType,
  type ProviderChanges,
  type ProviderFields,
  type VersionFields,
} from '@gatehouse/api-types/console/boxes';
import { record, scalar } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import type { Choice, FieldSpec, RecordFormSpec } from '#components/form/record-form.ts';
import { knownArchitectures, knownProviders } from '../known-providers.ts';

const boxSections = (first: readonly FieldSpec<BoxFields>[]) => [
  {
    title: 'Identity',
    fields: [
      ...first,
      {
        path: 'short_description' as const,
        label: 'Short description',
        input: { kind: 'text' as const },
        description: 'One line, shown in lists and search results.',
      },
      {
        path: 'is_private' as const,
        label: 'Private',
        input: { kind: 'check' as const },
        description:
          "Only its owner (or the organization's members) and administrators of the box registry can find it.",
      },
    ],
  },
  {
    title: 'Description',
    description: 'Markdown. HTML is removed, and external images become links.',
    fields: [
      {
        path: 'description' as const,
        label: 'Description',
        input: { kind: 'multiline' as const, rows: 14, isMono: true },
      },
    ],
  },
];

export const boxForm: RecordFormSpec<BoxFields> = {
  noun: 'box',
  schema: boxFields,
  policy: boxPolicy,
  sections: boxSections([
    {
      path: 'name',
      label: 'Name',
      input: { kind: 'text', isMono: true },
      isRequired: true,
      description: "Clients find the box by name. Those that use the old name won't find it.",
    },
  ]),
};

/** A new box, with the user or organization it will belong to. */
export type NewBoxFields = BoxFields & { readonly username: string };

/** @param owners where you may publish; null if the registry doesn't report them all, so you type the name */
export function newBoxForm(owners: readonly Choice[] | null): RecordFormSpec<NewBoxFields> {
  const [identity, description] = boxSections([]);
  return {
    noun: 'box',
    schema: z.strictObject({ ...boxFields.shape, username: ownerName }),
    policy: record({ ...boxPolicy.fields, username: scalar }),
    sections: [
      {
        title: 'Identity',
        fields: [
          {
            path: 'username',
            label: 'Owner',
            input:
              owners === null
                ? { kind: 'text', isMono: true }
                : {
                    kind: 'search',
                    options: owners,
                    emptyText: "You can't publish for this owner.",
                  },
            isRequired: true,
            description: "You, or an organization you publish for. The owner can't be changed later.",
          },
          {
            path: 'name',
            label: 'Name',
            input: { kind: 'text', isMono: true, placeholder: 'base' },
            isRequired: true,
            description: 'Letters, digits, ".", "_" and "-".',
          },
          ...(identity?.fields ?? []),
        ] as readonly FieldSpec<NewBoxFields>[],
      },
      ...(description === undefined
        ? []
        : [{ ...description, fields: description.fields as readonly FieldSpec<NewBoxFields>[] }]),
    ],
  };
}

export const versionForm: RecordFormSpec<VersionFields> = {
  noun: 'version',
  schema: versionFields,
  policy: versionPolicy,
  sections: [
    {
      title: 'Version',
      fields: [
        {
          path: 'version',
          label: 'Number',
          input: { kind: 'text', isMono: true, placeholder: '1.2.0' },
          isRequired: true,
          description: 'Such as 1.2.0 or 1.2.0-beta. By default, clients use the highest released version.',
        },
        {
          path: 'description',
          label: "What's new",
          input: { kind: 'multiline', rows: 10, isMono: true },
          description: 'Markdown: changes since the previous version.',
        },
      ],
    },
  ],
};

/** The provider form's values. No checksum is a choice like the others. */
export interface ProviderForm {
  readonly name: string;
  /** Empty if unknown. */
  readonly architecture: string;
  readonly is_default: boolean;
  readonly url: string;
  readonly checksum_type: ChecksumType | 'none';
  readonly checksum: string;
}

export function formOfProvider({ architecture, checksum_type, ...fields }: ProviderFields): ProviderForm {
  return {
    ...fields,
    architecture: architecture === unknownArchitecture ? '' : architecture,
    checksum_type: checksum_type ?? 'none',
  };
}

/** The contract's fields. Without a type, no checksum; without architectures, the only image is the default. */
export function fieldsOfProviderForm(
  { name, architecture, is_default, url, checksum_type, checksum }: ProviderForm,
  knowsArchitectures: boolean,
): ProviderFields {
  return {
    name,
    architecture: knowsArchitectures ? architecture.trim() || unknownArchitecture : unknownArchitecture,
    is_default: !knowsArchitectures || is_default,
    url,
    ...(checksum_type === 'none' ? { checksum: '', checksum_type: null } : { checksum, checksum_type }),
  };
}

/** The body of a partial update. A checksum is sent with its type. */
export function providerChanges(changed: Partial<ProviderForm>, values: ProviderForm): ProviderChanges {
  const { name, architecture, is_default, url, checksum, checksum_type } = fieldsOfProviderForm(values, true);
  return {
    ...(changed.name !== undefined && { name }),
    ...(changed.architecture !== undefined && { architecture }),
    ...(changed.is_default !== undefined && { is_default }),
    ...(changed.url !== undefined && { url }),
    ...((changed.checksum !== undefined || changed.checksum_type !== undefined) && {
      checksum,
      checksum_type,
    }),
  };
}

const architectureMessage =
  'An architecture can contain letters, digits, ".", "_" and "-", such as amd64. It must begin with a letter or digit, can\'t end with a dot, and can have at most 100 characters.';

const providerFormSchema = z
  .strictObject({
    name: providerName,
    architecture: z.union([z.literal(''), architectureName], architectureMessage),
    is_default: z.boolean(),
    url: z.union(
      [z.literal(''), imageUrl],
      'Enter an http or https address without a user name or password.',
    ),
    checksum_type: z.enum(['none', ...checksumTypes]),
    checksum: z
      .string()
      .check(
        z.trim(),
        z.toLowerCase(),
        z.regex(/^[0-9a-f]*$/, 'A checksum can only contain hexadecimal digits.'),
      ),
  })
  .check(
    z.superRefine(({ checksum, checksum_type: type }, context) => {
      const message =
        type === 'none'
          ? checksumProblem(checksum, null)
          : checksum === ''
            ? `Enter the ${type} checksum, or choose none.`
            : checksumProblem(checksum, type);
      if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['checksum'] });
    }),
  );

/** @param isDefault whether it is the default already, which changes only when another one becomes the default */
export const providerForm = ({
  knowsArchitectures,
  isDefault,
}: {
  readonly knowsArchitectures: boolean;
  readonly isDefault: boolean;
}): RecordFormSpec<ProviderForm> => ({
  noun: 'provider',
  schema: providerFormSchema,
  policy: providerPolicy,
  otherLabels: { checksum: 'Checksum' },
  sections: [
    {
      title: 'Provider',
      fields: [
        {
          path: 'name',
          label: 'Name',
          input: { kind: 'text', isMono: true, placeholder: 'virtualbox' },
          isRequired: true,
          description: `Vagrant's name for the provider: ${knownProviders.slice(0, 4).join(', ')}, or another.`,
        },
        ...(knowsArchitectures ? architectureFields(isDefault) : []),
        {
          path: 'url',
          label: 'Image address',
          input: { kind: 'text', isMono: true, placeholder: 'https://images.example.com/base.box' },
          description: 'Where clients download the image. Leave empty to upload an image to the registry.',
        },
      ],
    },
    {
      title: 'Checksum',
      description: 'Clients use the checksum to verify downloads.',
      fields: [
        {
          path: 'checksum_type',
          label: 'Checksum type',
          input: {
            kind: 'choice',
            options: ['none', ...checksumTypes].map((value) => ({
              value,
              label: value === 'none' ? 'None' : value.toUpperCase(),
            })),
          },
          show: (value) => (value === 'none' ? 'None' : String(value).toUpperCase()),
        },
        {
          path: 'checksum',
          label: 'Checksum',
          input: { kind: 'text', isMono: true },
          description: 'Hexadecimal, as sha256sum prints it.',
        },
      ],
    },
  ],
});

function architectureFields(isDefault: boolean): readonly FieldSpec<ProviderForm>[] {
  return [
    {
      path: 'architecture',
      label: 'Architecture',
      input: { kind: 'text', isMono: true, placeholder: 'amd64' },
      description: `The image's machine architecture: ${knownArchitectures.slice(0, 3).join(', ')}, or another. Leave empty if unknown.`,
    },
    {
      path: 'is_default',
      label: 'Default architecture',
      input: { kind: 'check' },
      description: isDefault
        ? "Used by clients that don't request an architecture, including old ones that don't support architectures. To change the default, make another architecture the default."
        : "Used by clients that don't request an architecture, including old ones that don't support architectures. A provider's first architecture is always the default.",
      ...(isDefault && { disabledReason: 'Make another architecture of this provider the default instead.' }),
    },
  ];
}
