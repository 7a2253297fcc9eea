import { harmOfMove, harmOfOtherEngine } from '@gatehouse/api-types/console/harm-of';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { Banner } from '@gatehouse/ui/banner';
import { ImpactList } from '@gatehouse/ui/confirm-dialog';
import { Link } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fullName, secretHref } from '#components/places/secrets.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { capital } from '#components/record/record-kind.ts';
import { losingTargets } from '#components/source/losing-targets.ts';
import { useTargetsReading } from '#components/source/use-targets-reading.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { secretMetadataQuery } from '#queries/secret-versions.ts';
import { secretQuery, type SecretPlace } from '#queries/secrets.ts';
import {
  countVersions,
  isReadable,
  versionsInWords,
} from '#routes/$environment/secrets/-versions/version-words.ts';
import { reasonAgainstTaking } from './move-form.ts';
import type { PreviewProps } from './preview.ts';

/** Shows what moving or copying one secret will write, and whether the destination is taken. */
export function SecretPreview({ place, form, isValid, onPreview }: PreviewProps) {
  const source = useQuery(secretQuery(place));
  const metadata = useQuery(secretMetadataQuery(place));
  const target: SecretPlace = { environment: place.environment, mount: form.mount, path: form.path };
  const there = useQuery({ ...secretQuery(target), enabled: isValid, staleTime: 0, retry: false });
  const isMove = form.mode === 'move';
  const reading = useTargetsReading(place, isMove);
  const isFree = isApiError(there.error, 'not-found');
  const isHidden = there.data?.revision === unknownRevision;
  const cannotLook = isHidden || (there.isError && !isFree);
  const versions = metadata.data?.versions ?? [];
  const readable = versions.filter(isReadable).map(({ version }) => version);
  const newest = source.data?.version;
  const taken = form.versions === 'latest' || metadata.data === undefined ? [newest?.version ?? 0] : readable;
  const isGone = isApiError(source.error, 'not-found');
  const problem = isGone
    ? `Nothing exists at ${fullName(place)}. Check the path, or choose the secret in its folder.`
    : !isValid
      ? undefined
      : source.isError
        ? wordsOf(source.error).detail
        : newest !== undefined && (newest === null || (form.versions === 'latest' && !isReadable(newest)))
          ? newest === null
            ? 'This secret has no version to move or copy.'
            : newest.state === 'deleted'
              ? 'The newest version is deleted. Undelete it first, or choose all versions.'
              : 'The newest version is destroyed. Choose all versions instead.'
          : (reasonAgainstTaking(source.data?.may ?? null, form.mode) ??
            (there.data === undefined || isHidden
              ? undefined
              : 'A secret already exists at the new path. Nothing is overwritten, so choose another path.'));
  const isElsewhere = isMove && form.mount !== place.mount;
  const fromEngine = useQuery({ ...secretEngineQuery(place), enabled: isElsewhere });
  const toEngine = useQuery({ ...secretEngineQuery(target), enabled: isElsewhere });
  const own = metadata.data?.max_versions ?? 0;
  const keeping = isElsewhere
    ? harmOfOtherEngine(own, fromEngine.data?.max_versions ?? null, toEngine.data?.max_versions ?? null)
    : undefined;
  const laterLoss =
    keeping &&
    `${form.mount} keeps fewer versions than ${place.mount}, or you can't read their settings. Later writes may delete the oldest versions permanently.`;
  const isKnown =
    isValid &&
    source.data !== undefined &&
    !metadata.isPending &&
    !there.isPending &&
    !(isElsewhere && (fromEngine.isPending || toEngine.isPending));
  const revision = source.data?.revision;
  const harm = harmOfMove({ kind: 'secret', ...form }, metadata.data?.versions ?? null, keeping);
  useEffect(() => {
    onPreview({
      count: isKnown ? 1 : undefined,
      problem,
      harm,
      laterLoss,
      ...(revision !== undefined && { revision }),
    });
  }, [isKnown, problem, harm, laterLoss, revision, onPreview]);

  if (isGone)
    return (
      <Banner tone="danger" title="This secret doesn't exist">
        {problem}
      </Banner>
    );
  if (source.isPending || metadata.isPending) return <SkeletonList label="Loading the secret" lines={4} />;
  const left = versions.filter((version) => !isReadable(version));
  const losing = isMove
    ? losingTargets(reading, 'this path', ' until credential libraries use the new path')
    : [];
  const current = Math.max(...taken);
  const isRevived = newest != null && !isReadable(newest) && readable.includes(current);
  return (
    <>
      {problem !== undefined && (
        <Banner
          tone="danger"
          title="Can't move or copy this secret"
          {...(there.data !== undefined && {
            actions: <Link href={secretHref(target)}>Open the existing secret</Link>,
          })}
        >
          {problem}
        </Banner>
      )}
      {cannotLook && (
        <Banner tone="warn" title="The destination can't be checked" announce="none">
          {isHidden ? 'Your policies hide the new path.' : wordsOf(there.error).detail} The console checks
          again before it writes, and overwrites nothing.
        </Banner>
      )}
      <DetailCard
        title="Planned writes"
        items={[
          { label: 'From', value: fullName(place), isMono: true },
          { label: 'To', value: fullName(form), isMono: true },
          {
            label: 'At destination',
            value: !isValid
              ? 'Enter a valid path first'
              : there.isPending
                ? 'Checking'
                : there.data !== undefined && !isHidden
                  ? `A secret, version ${there.data.revision}`
                  : cannotLook
                    ? 'Unknown'
                    : 'Nothing',
          },
          {
            label: 'Versions',
            value:
              source.data?.versioned === false
                ? "The newest, as version 1. The engine isn't versioned"
                : form.versions === 'all' && metadata.data === undefined
                  ? "The newest, because the list of versions can't be read"
                  : `${capital(versionsInWords(taken))}, as ${taken.length === 1 ? 'version 1' : `versions 1 to ${String(taken.length)}`}`,
          },
          {
            label: 'Settings and metadata',
            value:
              source.data?.versioned === false
                ? 'None'
                : metadata.data === undefined
                  ? "Not copied, because they can't be read"
                  : 'Copied',
          },
        ]}
      />
      {((isMove && left.length > 0) || losing.length > 0 || isRevived || laterLoss !== undefined) && (
        <ImpactList
          impacts={[
            ...(isRevived
              ? [
                  {
                    kind: 'worth-knowing' as const,
                    text: `The newest version, ${String(newest.version)}, is ${newest.state}, so a read of this secret returns nothing. At the new path, the values of version ${String(current)} become current and can be read.`,
                  },
                ]
              : []),
            ...losing,
            ...(laterLoss === undefined ? [] : [{ kind: 'breaks' as const, text: laterLoss }]),
            ...(isMove && left.length > 0
              ? [
                  {
                    kind: 'breaks' as const,
                    text: `${countVersions(left.length)} ${left.length === 1 ? "is deleted or destroyed. It can't be moved, and is" : "are deleted or destroyed. They can't be moved, and are"} lost with the old path.`,
                  },
                ]
              : []),
          ]}
        />
      )}
    </>
  );
}
