import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { Skeleton } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { boxQuery, type BoxPlace } from '#queries/boxes.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { gapsOf } from '../-version-grid/version-grid.ts';
import { VersionGrid } from '../-version-grid/VersionGrid.tsx';
import { StepForm } from './StepForm.tsx';
import { useStep } from './use-step.ts';
import { WhatIsThere } from './WhatIsThere.tsx';

/** Versions against providers, what is missing, and the release. */
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
  const { data: box } = useQuery(boxQuery(place));
  const number = run.version?.version ?? '';
  const version = box?.versions.find((item) => item.version === number);
  const gaps = version === undefined ? undefined : gapsOf(version, box?.versions ?? []);
  const waiting = run.providers.filter(({ ready }) => !ready).map(({ name }) => name);
  return (
    <StepForm
      title={`Release ${number}?`}
      intro="Once it is released, clients find it, and machines are told of the update. It can be revoked, but not taken back."
      submitLabel={`Release ${number}`}
      step={step}
      run={undefined}
      disabledReason={
        waiting.length === 0 ? undefined : `Not at the registry yet: the image of ${waiting.join(', ')}.`
      }
      onSubmit={() =>
        void step.run(async () => {
          const released = await writes.release(run.id);
          step.leave(() => {
            onDone(released);
          });
        })
      }
    >
      {gaps !== undefined && gaps.holes.length > 0 && (
        <Banner
          tone="warn"
          announce="none"
          title={`Version ${gaps.last ?? ''} has ${gaps.holes.join(', ')}, and this one has not`}
        >
          Machines of {gaps.holes.length === 1 ? 'that provider' : 'those providers'} would not get the
          update.
        </Banner>
      )}
      <Card title="Versions and providers" isFlush>
        {box === undefined ? (
          <div className="p-4">
            <Skeleton />
          </div>
        ) : (
          <VersionGrid label={`Versions of ${box.tag}`} versions={box.versions} current={number} limit={8} />
        )}
      </Card>
      <WhatIsThere run={run} />
    </StepForm>
  );
}
