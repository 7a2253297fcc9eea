/** Asks before fewer versions are kept, because the oldest values are lost. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import { harmOfEngine, lostVersions } from '@gatehouse/api-types/console/harm-of';
import type {
  SecretEngine,
  SecretEngineFields,
  SecretMetadata,
  SecretMetadataFields,
} from '@gatehouse/api-types/console/secret-metadata';
import { fullName, nameOf } from '#components/places/secrets.ts';
import type { RecordEdit } from '#components/record/record-kind.ts';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import { queryClient } from '#lib/query-client.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { countVersions, versionsInWords } from '../-versions/version-words.ts';
import { engineEffects } from './engine-effects.ts';

/** For a secret: asks if stored versions would be deleted. */
export async function guardOfMetadata(
  { item, values }: RecordEdit<SecretMetadata, SecretMetadataFields>,
  environment: string,
): Promise<SaveGuard | undefined> {
  const { mount, path, versions, max_versions: before } = item;
  const { max_versions: after } = values;
  if (after === before) return undefined;
  const engine = await queryClient
    .fetchQuery(secretEngineQuery({ environment, mount }))
    .then(({ max_versions }) => max_versions)
    .catch(() => null);
  const lost = lostVersions(versions, before, after, engine).map(({ version }) => version);
  if (lost.length === 0) return undefined;
  return {
    harm: at.secretMetadata.update.harm,
    title: `Keep fewer versions of ${nameOf(path)}?`,
    confirmLabel: `Delete ${countVersions(lost.length)} permanently`,
    typedName: nameOf(path),
    impacts: [
      {
        kind: 'breaks',
        text: `The values of ${versionsInWords(lost)} of ${fullName({ mount, path })} are deleted permanently when the next version is created, or earlier.`,
      },
      { kind: 'worth-knowing', text: "Raising the number later doesn't restore them." },
    ],
  };
}

/** For an engine: always asks, because it can have many secrets. */
export function guardOfEngine({
  item: { mount },
  stored,
  values,
}: RecordEdit<SecretEngine, SecretEngineFields>): SaveGuard | undefined {
  if (harmOfEngine(stored.max_versions, values.max_versions) === undefined) return undefined;
  const [first = '', ...more] = engineEffects(stored, values);
  return {
    harm: at.secretEngines.update.harm,
    title: `Keep fewer versions in ${mount}?`,
    confirmLabel: 'Delete the oldest versions permanently',
    typedName: mount,
    impacts: [
      { kind: 'breaks', text: first },
      ...more.map((text) => ({ kind: 'worth-knowing' as const, text })),
    ],
  };
}
