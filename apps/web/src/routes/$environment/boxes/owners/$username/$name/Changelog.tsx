import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { Card } from '@gatehouse/ui/card';
import { Link } from '@gatehouse/ui/link';
import { useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { ShowMore } from '#components/list/ShowMore.tsx';
import { Markdown } from '#components/markdown/Markdown.tsx';
import { versionHref } from '#components/places/boxes.ts';
import type { BoxPlace } from '#queries/boxes.ts';
import { VersionState } from '#routes/$environment/boxes/-version-grid/VersionState.tsx';

/** The number of versions shown at first. */
const first = 5;

/** The descriptions of versions, newest first; versions without a description are left out. */
export function Changelog({ place, versions }: { place: BoxPlace; versions: readonly BoxVersion[] }) {
  const [shown, setShown] = useState(first);
  const told = versions.filter(({ description }) => description.trim() !== '');
  if (told.length === 0) return null;
  return (
    <Card title="Changelog" isFlush>
      <ul aria-label="Changelog">
        {told.slice(0, shown).map(({ version, status, created_time, description }) => (
          <li
            key={version}
            className="grid grid-cols-1 gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 narrow:grid-cols-[9rem_minmax(0,1fr)]"
          >
            <div className="flex flex-wrap items-baseline gap-x-3 narrow:flex-col">
              <Link href={versionHref({ ...place, version })}>{version}</Link>
              <VersionState status={status} />
              <span className="text-meta text-ink-2">
                <Time value={created_time} isRelative />
              </span>
            </div>
            <Markdown text={description} label={`changes of ${version}`} />
          </li>
        ))}
      </ul>
      <ShowMore
        left={told.length - shown}
        noun="older description"
        onPress={() => {
          setShown(shown + 20);
        }}
      />
    </Card>
  );
}
