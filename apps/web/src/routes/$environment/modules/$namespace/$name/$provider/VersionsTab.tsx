import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { Link } from '@gatehouse/ui/link';
import { useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { ShowMore } from '#components/list/ShowMore.tsx';
import { moduleHref } from '#components/places/modules.ts';
import { DeprecationBadge } from '#routes/$environment/modules/DeprecationBadge.tsx';
import type { ShownModule } from './shown-module.ts';

/** Versions shown before "Show more". */
const first = 50;

/** All versions, newest first. */
export function VersionsTab({ shown: { place, module, version } }: { shown: ShownModule }) {
  const [limit, setLimit] = useState(first);
  return (
    <Card title="Versions" isFlush>
      <ul aria-label="Versions">
        {module.versions.slice(0, limit).map((choice) => (
          <li
            key={choice.version}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-b border-line px-4 py-1.5 last:border-b-0"
          >
            <span className="flex w-40 flex-wrap items-center gap-2">
              <Link href={moduleHref(place, choice.version)}>{choice.version}</Link>
              {choice.version === module.latest && <Badge>Latest</Badge>}
            </span>
            <span className="min-w-0 flex-1 text-ink-2">
              {choice.deprecation && (
                <span className="flex flex-wrap items-center gap-2">
                  <DeprecationBadge deprecation={choice.deprecation} />
                  {choice.deprecation.message}
                </span>
              )}
            </span>
            {choice.published_time !== '' && (
              <span className="text-ink-2">
                <Time value={choice.published_time} isRelative />
              </span>
            )}
            <span className="w-32 text-end">
              {choice.version === version.version ? (
                <span className="text-ink-2">Shown</span>
              ) : (
                <Link href={moduleHref(place, { version: version.version, compare: choice.version })}>
                  Compare
                  <span className="sr-only">
                    {' '}
                    {choice.version} with {version.version}
                  </span>
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      <ShowMore
        left={module.versions.length - limit}
        noun="older version"
        onPress={() => {
          setLimit(limit + 200);
        }}
      />
    </Card>
  );
}
