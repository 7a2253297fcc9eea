import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { PlanProvider, RunProvider } from '@gatehouse/api-types/console/publish';
import type { FieldChange } from '@gatehouse/ui/diff-list';

type Value = string | boolean;

/** What a record that exists would get in place of what it has: of each field its label, the stored value and the entered one. */
export function changesOf(
  fields: readonly (readonly [label: string, before: Value, after: Value])[],
): readonly FieldChange[] {
  return fields
    .filter(([, before, after]) => before !== after)
    .map(([label, before, after]) => ({
      id: label,
      label,
      kind: before === '' ? 'added' : after === '' ? 'removed' : 'changed',
      before: wordsOf(before),
      after: wordsOf(after),
    }));
}

export type ExistingProvider = NonNullable<RunProvider['stored']>;

/** The same of a provider, with the image that the registry keeps. @param file the image that was chosen in its place */
export function changesOfProvider(
  stored: ExistingProvider,
  planned: PlanProvider,
  file: string | undefined,
): readonly FieldChange[] {
  const isFile = planned.source.kind === 'image';
  return changesOf([
    ...(hasImage(stored)
      ? [['Image', 'Stored in the registry', isFile ? (file ?? 'Your file') : ''] as const]
      : []),
    ['Name', stored.name, planned.name],
    ['Image address', stored.url, planned.source.kind === 'url' ? planned.source.url : ''],
    // One that is the default stays it until another one becomes it.
    ['Default architecture', false, stored.is_default === false && planned.is_default],
    ['Checksum', sumOf(stored), sumOf(planned)],
  ]);
}

function wordsOf(value: Value): string {
  return typeof value === 'string' ? value : value ? 'Yes' : 'No';
}

function sumOf({ checksum, checksum_type: type }: Pick<PlanProvider, 'checksum' | 'checksum_type'>): string {
  return checksum === '' ? '' : `${type?.toUpperCase() ?? ''} ${checksum}`;
}
