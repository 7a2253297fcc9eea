/** The forms for a secret's settings and custom metadata, and for its engine's settings. */
import {
  secretEngineFields,
  secretEnginePolicy,
  secretMetadataFields,
  secretMetadataPolicy,
  type SecretEngineFields,
  type SecretMetadataChanges,
  type SecretMetadataFields,
  type SecretRules,
} from '@gatehouse/api-types/console/secret-metadata';
import { lazy } from '@gatehouse/ui/lazy';
import * as z from 'zod/mini';
import { pairsSchema } from '#components/form/pairs-schema.ts';
import type { FormSection, RecordFormSpec } from '#components/form/record-form.ts';

const MetadataEditor = lazy(async () => ({ default: (await import('./MetadataEditor.tsx')).MetadataEditor }));
const PairEditor = lazy(async () => ({
  default: (await import('#components/form/PairsEditor.tsx')).PairEditor,
}));

const neverInWords = 'never';

/** The settings that a secret and its engine share. `noneIs` describes the value for none. */
function settingsSection(
  title: string,
  description: string,
  noneIs: { readonly versions: string; readonly deletion: string },
) {
  return {
    title,
    description,
    fields: [
      {
        path: 'max_versions',
        label: 'Versions to keep',
        description: noneIs.versions,
        input: { kind: 'number', min: 0, unit: 'versions' },
      },
      {
        path: 'delete_version_after',
        label: 'Delete versions after',
        description: `90s, 30m, 36h, 30d, or a sum such as 1h30m. ${noneIs.deletion}`,
        input: { kind: 'duration', none: neverInWords },
      },
      {
        path: 'cas_required',
        label: 'Require check-and-set',
        description:
          "A write must include the version it is based on, and is refused if that version isn't the newest. This console always uses check-and-set.",
        input: { kind: 'check' },
      },
    ],
  } satisfies FormSection<SecretRules>;
}

export const engineForm = (cannotDescribe: string | undefined): RecordFormSpec<SecretEngineFields> => ({
  noun: 'engine',
  // A new description is checked by the console: a stored one may be longer.
  schema: z.strictObject({ ...secretEngineFields.shape, description: z.string() }),
  policy: secretEnginePolicy,
  sections: [
    {
      title: 'Engine',
      fields: [
        {
          path: 'description',
          label: 'Description',
          input: { kind: 'text' },
          disabledReason: cannotDescribe,
        },
      ],
    },
    settingsSection('Settings', 'These settings apply to every secret without its own.', {
      versions: '0 means the default, 10. A secret can override this.',
      deletion: '0s means never. A secret can have a shorter time.',
    }),
  ],
});

export const metadataForm: RecordFormSpec<SecretMetadataFields> = {
  noun: 'metadata of the secret',
  schema: z.strictObject({
    ...secretMetadataFields.shape,
    custom_metadata: pairsSchema(secretMetadataFields.shape.custom_metadata),
  }),
  policy: secretMetadataPolicy,
  sections: [
    {
      title: 'Custom metadata',
      fields: [
        {
          path: 'custom_metadata',
          label: 'Keys and values',
          input: { kind: 'map', Editor: MetadataEditor, EntryEditor: PairEditor },
        },
      ],
    },
    settingsSection(
      'Settings',
      "These settings apply to this secret, together with the engine's. Saving them creates no version.",
      {
        versions:
          "0 uses the engine's setting. If the secret has more versions, the oldest are removed at the next write.",
        deletion:
          "0s uses the engine's setting. The shorter of the two applies. Existing versions keep their own time.",
      },
    ),
  ],
};

/** Only the changed fields; for custom metadata the changed keys, with null for removed ones. */
export function metadataChanges(
  before: SecretMetadataFields,
  after: SecretMetadataFields,
): SecretMetadataChanges {
  const changes: SecretMetadataChanges = {};
  if (after.max_versions !== before.max_versions) changes.max_versions = after.max_versions;
  if (after.cas_required !== before.cas_required) changes.cas_required = after.cas_required;
  if (after.delete_version_after !== before.delete_version_after) {
    changes.delete_version_after = after.delete_version_after;
  }
  const keys = new Set([...Object.keys(before.custom_metadata), ...Object.keys(after.custom_metadata)]);
  const pairs = [...keys].flatMap((key): [string, string | null][] => {
    const value = Object.hasOwn(after.custom_metadata, key) ? after.custom_metadata[key] : undefined;
    const old = Object.hasOwn(before.custom_metadata, key) ? before.custom_metadata[key] : undefined;
    return value === old ? [] : [[key, value ?? null]];
  });
  if (pairs.length > 0) changes.custom_metadata = Object.fromEntries(pairs);
  return changes;
}
