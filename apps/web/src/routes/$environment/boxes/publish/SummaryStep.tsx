import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { publishHref, versionHref } from '#components/places/boxes.ts';
import { boxQuery, type BoxPlace } from '#queries/boxes.ts';
import { UseBox } from '../-use/UseBox.tsx';
import { WhatIsThere } from './WhatIsThere.tsx';

/** The result of a run, and how to use the box. */
export function SummaryStep({ run, place }: { run: PublishRun; place: BoxPlace | undefined }) {
  const { data: box } = useQuery({
    ...boxQuery(place ?? { environment: run.environment, username: '', name: '' }),
    enabled: place !== undefined,
  });
  const version = run.version?.version ?? '';
  if (run.state === 'abandoned' || place === undefined) {
    return (
      <div className="flex flex-col gap-4">
        <Banner
          tone="warn"
          announce="none"
          title="This publishing run was abandoned"
          actions={
            <LinkButton size={28} href={publishHref(run.environment, place)}>
              Publish again
            </LinkButton>
          }
        >
          Uploads were discarded. Nothing in the registry was deleted.
        </Banner>
        <WhatIsThere run={run} />
      </div>
    );
  }
  return (
    <section aria-label="Summary" className="flex min-w-0 flex-col gap-5">
      <Banner
        tone="ok"
        title={`${place.username}/${place.name} ${version} is released`}
        actions={
          <LinkButton size={28} href={versionHref({ ...place, version })}>
            Open the version
          </LinkButton>
        }
      >
        Clients can now find this version for {run.providers.map(providerLabel).join(', ')}.
      </Banner>
      {box !== undefined && (
        <UseBox
          box={{ tag: box.tag, serverUrl: box.server_url, version }}
          images={run.providers}
          isPrivate={box.is_private}
        />
      )}
      <WhatIsThere run={run} />
      <div>
        <LinkButton href={publishHref(run.environment, place)}>Publish another version</LinkButton>
      </div>
    </section>
  );
}
