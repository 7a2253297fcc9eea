import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Card } from '@gatehouse/ui/card';
import { Time } from '../environment/Time.tsx';

/** The events of a run, newest first. */
export function RunLog({ log }: Pick<PublishRun, 'log'>) {
  return (
    <Card title="Log" isFlush>
      <ol tabIndex={0} aria-label="Log, newest first" className="max-h-72 overflow-y-auto -outline-offset-2!">
        {log.toReversed().map(({ time, provider, text, failed }, index) => (
          <li
            key={log.length - index}
            className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-1.5 text-meta last:border-b-0"
          >
            <span className="shrink-0 text-ink-3 tabular-nums">
              <Time value={time} />
            </span>
            <span
              className={`min-w-0 flex-1 basis-60 wrap-anywhere ${failed ? 'text-danger' : 'text-ink-1'}`}
            >
              {failed && <span className="sr-only">Failed: </span>}
              {provider !== null && !text.includes(provider) && (
                <span className="font-medium">{provider}: </span>
              )}
              {text}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
