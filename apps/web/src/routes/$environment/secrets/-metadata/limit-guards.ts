/** Asks before fewer versions are kept, because the oldest values are lost, now or later. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import { harmOfKeeping, lostVersions } from '@gatehouse/api-types/console/harm-of';
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

/** For a secret: also asks if it has no versions to lose yet. */
export async function guardOfMetadata(
  { item, stored, values }: RecordEdit<SecretMetadata, SecretMetadataFields>,
  environment: string,
): Promise<SaveGuard | undefined> {
  const { mount, path, versions } = item;
  // As stored now, which someone may have changed since the form was opened.
  const [{ max_versions: before }, { max_versions: after }] = [stored, values];
  if (after === before) return undefined;
  const engine = await queryClient
    .fetchQuery(secretEngineQuery({ environment, mount }))
    .then(({ max_versions }) => max_versions)
    .catch(() => null);
  const change = [
    { own: before, engine },
    { own: after, engine },
  ] as const;
  if (harmOfKeeping(...change) === undefined) return undefined;
  const lost = lostVersions(versions, ...change).map(({ version }) => version);
  return {
    harm: at.secretMetadata.update.harm,
    title: `Keep fewer versions of ${nameOf(path)}?`,
    confirmLabel:
      lost.length === 0 ? 'Keep fewer versions' : `Delete ${countVersions(lost.length)} permanently`,
    typedName: nameOf(path),
    impacts: [
      {
        kind: 'breaks',
        text:
          lost.length === 0
            ? `No version of ${fullName({ mount, path })} is lost yet. Later writes delete the oldest ones permanently.`
            : `The values of ${versionsInWords(lost)} of ${fullName({ mount, path })} are deleted permanently when the next version is created, or earlier.`,
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
  const keeping = ({ max_versions: engine }: SecretEngineFields) => ({ own: 0, engine });
  if (harmOfKeeping(keeping(stored), keeping(values)) === undefined) return undefined;
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
