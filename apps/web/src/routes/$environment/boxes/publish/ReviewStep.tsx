import * as at from '@gatehouse/api-types/console/addresses/publish';
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Skeleton } from '@gatehouse/ui/skeleton';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLadder } from '#components/guards/use-ladder.ts';
import { boxQuery, type BoxPlace } from '#queries/boxes.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { releaseImpacts } from '../-version-grid/release-impacts.ts';
import { gapsOf } from '../-version-grid/version-grid.ts';
import { VersionGrid } from '../-version-grid/VersionGrid.tsx';
import { StepForm } from './StepForm.tsx';
import { useStep } from './use-step.ts';
import { WhatIsThere } from './WhatIsThere.tsx';

/** Versions against providers, what is missing, and the release, which says what it does before it is done. */
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
  const queryClient = useQueryClient();
  const { data: box, isPending } = useQuery(boxQuery(place));
  const number = run.version?.version ?? '';
  const version = box?.versions.find((item) => item.version === number);
  const gaps = version === undefined ? undefined : gapsOf(version, box?.versions ?? []);
  const [isAsking, setAsking] = useState(false);
  const { asks } = useLadder(at.publishRuns.release.harm, number);
  const waiting = run.providers.filter(({ ready }) => !ready).map(providerLabel);
  const release = (): void =>
    void step
      .run(async () => {
        const released = await writes.release(run.id, version?.whole_revision ?? '');
        step.leave(() => {
          onDone(released);
        });
      })
      .then((isDone) => {
        if (isDone) return;
        setAsking(false);
        // It may have changed: what is released next is what is shown then.
        void queryClient.invalidateQueries(boxQuery(place));
      });
  return (
    <>
      <StepForm
        title={`Release ${number}?`}
        intro="Once it is released, clients find it and machines are notified of the update. A release can't be undone."
        submitLabel={`Release ${number}`}
        step={step}
        run={undefined}
        disabledReason={
          waiting.length > 0
            ? `Not at the registry yet: the image of ${waiting.join(', ')}.`
            : isPending
              ? 'The current release is still being looked up.'
              : version === undefined
                ? "The version can't be read. Reload the page to try again."
                : undefined
        }
        onSubmit={() => {
          setAsking(true);
        }}
      >
        {gaps !== undefined && gaps.holes.length > 0 && (
          <Banner
            tone="warn"
            announce="none"
            title={`Version ${gaps.last ?? ''} has ${gaps.holes.join(', ')}, this one doesn't`}
          >
            Machines that need {gaps.holes.length === 1 ? 'it' : 'one of them'} would not get the update.
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
        <WhatIsThere run={run} />
      </StepForm>
      {isAsking && (
        <ConfirmDialog
          {...asks}
          isOpen
          onOpenChange={() => {
            if (!step.isPending) setAsking(false);
          }}
          title={`Release ${box?.tag ?? ''} ${number}?`}
          confirmLabel="Release version"
          tone="primary"
          isPending={step.isPending}
          impacts={
            box === undefined || version === undefined
              ? []
              : releaseImpacts(version, box.versions, box.current_version)
          }
          onConfirm={release}
        />
      )}
    </>
  );
}
