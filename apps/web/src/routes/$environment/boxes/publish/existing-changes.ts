import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { PlanProvider, RunProvider } from '@gatehouse/api-types/console/publish';
import type { FieldChange } from '@gatehouse/ui/diff-list';

type Value = string | boolean;

/** The changes that the entered values would make to an existing record, from labels, stored and entered values. */
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

/** The same for a provider, including its stored image. @param file the name of the file that replaces it */
export function changesOfProvider(
  stored: ExistingProvider,
  planned: PlanProvider,
  file: string | undefined,
): readonly FieldChange[] {
  const isFile = planned.source.kind === 'image';
  const isSame = isFile && sumOf(stored) !== '' && sumOf(stored) === sumOf(planned);
  return changesOf([
    ...(hasImage(stored) && !isSame
      ? [['Image', 'Stored in the registry', isFile ? (file ?? 'Your file') : ''] as const]
      : []),
    ['Name', stored.name, planned.name],
    ['Image address', stored.url, planned.source.kind === 'url' ? planned.source.url : ''],
    // The default stays until another provider becomes the default.
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
