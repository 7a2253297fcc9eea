import { publishRuns } from '@gatehouse/api-types/console/addresses/publish';
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { Skeleton } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { boxQuery, type BoxPlace } from '#queries/boxes.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { versionKind } from '../-editing/box-kinds.tsx';
import { ProviderList } from '../-version-grid/ProviderList.tsx';
import { harmOfRelease, releaseImpacts } from '../-version-grid/release-impacts.ts';
import { gapsOf } from '../-version-grid/version-grid.ts';
import { VersionGrid } from '../-version-grid/VersionGrid.tsx';
import { VersionNote } from '../-version-grid/VersionNote.tsx';
import { StepForm } from './StepForm.tsx';
import { useStep } from './use-step.ts';
import { WhatIsThere } from './WhatIsThere.tsx';

/** Compares versions by provider, lists missing images, and releases after showing the effects. */
export function ReviewStep({
  run,
  place,
  onDone,
}: {
  run: PublishRun;
  place: BoxPlace;
  onDone: (run: PublishRun) => void;
}) {
  const writes = usePublishWrites(run.environment);
  const step = useStep();
  const { data: box, isPending, refetch } = useQuery({ ...boxQuery(place), refetchOnMount: 'always' });
  const number = run.version?.version ?? '';
  const versionIn = (read: typeof box) => read?.versions.find((item) => item.version === number);
  const version = versionIn(box);
  const isReleased = version?.status === 'active';
  const gaps = version === undefined ? undefined : gapsOf(version, box?.versions ?? []);
  // The version when the question opened: polling changes it in the background.
  const [asked, setAsked] = useState<BoxVersion>();
  const done = (released: PublishRun): void => {
    step.leave(() => {
      onDone(released);
    });
  };
  const waiting = run.providers.filter(({ ready }) => !ready).map(providerLabel);
  return (
    <>
      <StepForm
        title={isReleased ? `${number} is already released` : `Release ${number}?`}
        intro={
          isReleased
            ? 'Clients already find this version, with the providers and images below. Finishing the run changes nothing in the registry.'
            : "Clients find a version once it is released, and learn about the update when they next check for one. A release can't be undone."
        }
        submitLabel={isReleased ? 'Finish' : `Release ${number}`}
        step={step}
        run={undefined}
        disabledReason={
          waiting.length > 0
            ? `Images not in the registry yet: ${waiting.join(', ')}.`
            : isPending
              ? 'The current release is still loading.'
              : version === undefined
                ? "The version isn't in the registry, or can't be read. Reload the page to retry."
                : undefined
        }
        onSubmit={() => {
          // Read again: images that this run has delivered since then would otherwise be shown as someone else's
          // change.
          void step.run(async () => {
            const now = versionIn((await refetch({ throwOnError: true })).data);
            if (now?.status === 'active') done(await writes.release(run.id, now.whole_revision));
            else setAsked(now);
          });
        }}
      >
        {gaps !== undefined && gaps.holes.length > 0 && (
          <Banner
            tone="warn"
            announce="none"
            title={`Version ${gaps.last ?? ''} has ${gaps.holes.join(', ')}, and this version doesn't`}
          >
            Machines that need {gaps.holes.length === 1 ? 'it' : 'one of them'} won't get this version.
          </Banner>
        )}
        <Card title="Versions and providers" isFlush>
          {box === undefined ? (
            <div className="p-4">
              <Skeleton />
            </div>
          ) : (
            <VersionGrid
              label={`Versions of ${box.tag}`}
              versions={box.versions}
              current={number}
              limit={8}
            />
          )}
        </Card>
        {version !== undefined && (
          <Card title="What clients get">
            <ProviderList
              label={`Providers of ${number}`}
              providers={version.providers}
              remarkOn={(provider) => remarkOn(provider, run)}
            />
          </Card>
        )}
        {!isReleased && <WhatIsThere run={run} />}
      </StepForm>
      {asked !== undefined && box !== undefined && (
        <ConfirmRecord
          kind={versionKind(place)}
          item={asked}
          revisionOf={({ whole_revision }) => whole_revision}
          noteOf={(seen, now) => <VersionNote seen={seen} now={now} />}
          title={`Release ${box.tag} ${number}?`}
          harm={harmOfRelease(publishRuns.release.harm, box.current_version)}
          typedName={number}
          confirmLabel="Release version"
          anywayLabel="Release it anyway"
          tone="primary"
          impacts={releaseImpacts(asked, box.versions, box.current_version)}
          act={(revision) => writes.release(run.id, revision)}
          onDone={done}
          onGone={() => {
            toasts.warn({ title: 'Not released', detail: 'The version has since been deleted.' });
            setAsked(undefined);
          }}
          onCancel={() => {
            setAsked(undefined);
          }}
        >
          <ProviderList
            label="What clients get"
            isTitled
            providers={asked.providers}
            remarkOn={(provider) => remarkOn(provider, run)}
          />
        </ConfirmRecord>
      )}
    </>
  );
}

/** How a stored provider differs from the run's plan. */
function remarkOn(stored: BoxVersion['providers'][number], { providers }: PublishRun): string | undefined {
  const label = providerLabel(stored);
  const planned = providers.find((provider) => providerLabel(provider) === label);
  if (planned === undefined) return 'Not part of this publishing run';
  const { source, checksum } = planned;
  const isOther =
    (source.kind === 'url' && source.url !== stored.url) ||
    (checksum !== '' && checksum.toLowerCase() !== stored.checksum.toLowerCase());
  return isOther ? 'Differs from what you entered in this publishing run' : undefined;
}
