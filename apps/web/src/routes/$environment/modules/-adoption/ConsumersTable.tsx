import { Badge } from '@gatehouse/ui/badge';
import { Link } from '@gatehouse/ui/link';
import { useState } from 'react';
import { staleFirst, type ModuleConsumer } from '#components/downloads/consumer-order.ts';
import { Time } from '#components/environment/Time.tsx';
import { ShowMore } from '#components/list/ShowMore.tsx';
import { moduleHref } from '#components/places/modules.ts';
import { counted } from '#lib/counted.ts';
import type { ModulePlace } from '#queries/modules.ts';

const head = 'h-8 px-4 font-mono text-caps font-normal whitespace-nowrap text-ink-2 uppercase';
/** Rows shown before "Show more". */
const first = 50;

/** The version that each token downloaded last, and how many versions it is behind. */
export function ConsumersTable({
  place,
  latest,
  consumers,
}: {
  place: ModulePlace;
  latest: string | null;
  consumers: readonly ModuleConsumer[];
}) {
  const [limit, setLimit] = useState(first);
  if (consumers.length === 0) {
    return (
      <p className="p-4 text-body text-ink-2">
        This module hasn't been downloaded with a token yet. Downloads without a token are counted
        anonymously.
      </p>
    );
  }
  // Newer versions than the latest are pre-releases.
  const isLatest = (version: string): boolean => version === latest;
  const uses = staleFirst(consumers);
  return (
    <>
      <div
        className="relative overflow-x-auto -outline-offset-2!"
        role="region"
        aria-label="Who downloads the module"
        tabIndex={0}
      >
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">Who downloads the module</caption>
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className={`${head} text-start`}>
                Token
              </th>
              <th scope="col" className={`${head} text-start`}>
                Version
              </th>
              <th scope="col" className={`${head} text-start`}>
                Behind
              </th>
              <th scope="col" className={`${head} text-start`}>
                Last download
              </th>
              <th scope="col" className={`${head} text-end`}>
                Downloads
              </th>
            </tr>
          </thead>
          <tbody>
            {uses
              .slice(0, limit)
              .map(
                ({
                  token_id: id,
                  token,
                  owner,
                  version,
                  downloads,
                  last_fetched_time: time,
                  behind,
                  earlier,
                }) => (
                  <tr key={id} className="border-b border-line last:border-b-0">
                    <th scope="row" className="px-4 py-1.5 text-start font-normal">
                      <span className="font-medium text-ink-1 wrap-anywhere">{token}</span>
                      {owner !== '' && <span className="block text-meta text-ink-2">{owner}</span>}
                    </th>
                    <td className="px-4 whitespace-nowrap">
                      <Link href={moduleHref(place, version)}>{version}</Link>
                      {earlier.length > 0 && (
                        <span className="block text-meta text-ink-2">before: {shortList(earlier)}</span>
                      )}
                    </td>
                    <td className="px-4 whitespace-nowrap">
                      <span className="flex items-center gap-3">
                        {isLatest(version) || behind === 0 ? (
                          <span className="text-ink-2">Up to date</span>
                        ) : (
                          <Badge tone="warn">{counted(behind, 'version')} behind</Badge>
                        )}
                        {behind > 0 && latest !== null && !isLatest(version) && (
                          <Link href={moduleHref(place, { version: latest, compare: version })}>
                            What changes
                            <span className="sr-only">
                              {' '}
                              from {version} to {latest}
                            </span>
                          </Link>
                        )}
                      </span>
                    </td>
                    <td className="px-4 whitespace-nowrap text-ink-2">
                      {time !== '' && <Time value={time} isRelative />}
                    </td>
                    <td className="px-4 text-end tabular-nums">{downloads.toLocaleString('en')}</td>
                  </tr>
                ),
              )}
          </tbody>
        </table>
      </div>
      <ShowMore
        left={uses.length - limit}
        noun="more consumer"
        onPress={() => {
          setLimit(limit + 200);
        }}
      />
    </>
  );
}

function shortList(versions: readonly string[]): string {
  const more = versions.length - 3;
  return versions.slice(0, 3).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
}
