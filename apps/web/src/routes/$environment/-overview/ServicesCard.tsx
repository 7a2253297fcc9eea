import type { Connection, Environment } from '@gatehouse/api-types/console/session';
import { StatusDot } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Time } from '#components/environment/Time.tsx';
import { connectionWords } from '#components/layout/connection-words.ts';
import { versionInWords } from '#components/layout/version-words.ts';
import { serviceLabels } from '#lib/error-words.ts';

/** Health and version of each service of the environment. */
export function ServicesCard({
  environment,
  connections,
}: {
  environment: Environment;
  connections: readonly Connection[] | undefined;
}) {
  return (
    <Card title={`Services of ${environment.name}`} isFlush>
      {connections === undefined ? (
        <div className="px-4">
          <SkeletonList label="Checking the services" lines={environment.services.length} />
        </div>
      ) : (
        <ul>
          {connections.map((connection) => {
            const { word, tone } = connectionWords[connection.state];
            return (
              <li
                key={connection.service}
                className="flex flex-wrap items-baseline gap-x-4 border-b border-line px-4 py-2 last:border-b-0"
              >
                <span className="min-w-0 flex-1 basis-40 font-medium text-ink-1">
                  {serviceLabels[connection.service]}
                  <span className="block font-mono text-meta font-normal text-ink-2">
                    {connection.version === null ? 'version unknown' : versionInWords(connection)}
                  </span>
                </span>
                <span className="min-w-0 flex-1 basis-32">
                  <StatusDot tone={tone}>{word}</StatusDot>
                  <span className="block text-meta text-ink-2">
                    {connection.checked_at === null ? (
                      'Not checked yet'
                    ) : (
                      <>
                        Checked <Time value={connection.checked_at} isRelative />
                      </>
                    )}
                  </span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
