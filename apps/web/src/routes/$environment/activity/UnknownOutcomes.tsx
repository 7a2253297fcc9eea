import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Kbd } from '@gatehouse/ui/kbd';
import { actionWords, personWords, resourceWords } from '#components/activity/activity-words.ts';
import { Time } from '#components/environment/Time.tsx';
import { useShortcut } from '#lib/shortcuts.ts';
import type { Trail } from './use-trail.ts';

/** The maximum number shown; the filter shows all. */
const mostShown = 5;

export interface UnknownOutcomesProps {
  entries: readonly ActivityEntry[];
  settle: Trail['settle'];
  onOpen: (entry: ActivityEntry) => void;
  onShowAll: () => void;
}

/** Lists changes with an unknown outcome, with an action to check it. */
export function UnknownOutcomes({ entries, settle, onOpen, onShowAll }: UnknownOutcomesProps) {
  const first = entries.find((entry) => entry.can_settle);
  const run = ({ sequence }: ActivityEntry): void => {
    if (!settle.isPending) settle.mutate({ sequence });
  };
  useShortcut(
    first && {
      keys: 's',
      label: 'Check the first unknown outcome',
      group: 'Activity',
      run: () => {
        run(first);
      },
    },
  );

  if (entries.length === 0) return null;
  return (
    <Banner
      tone="warn"
      announce="none"
      title={
        entries.length === 1
          ? 'One change with an unknown outcome'
          : `${entries.length.toLocaleString('en')} changes with an unknown outcome`
      }
      actions={
        entries.length > mostShown ? (
          <Button size={28} onPress={onShowAll}>
            Show all
          </Button>
        ) : undefined
      }
    >
      <ul className="flex flex-col gap-1 pt-1">
        {entries.slice(0, mostShown).map((entry) => (
          <li key={entry.sequence} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Time value={entry.time} />
            <span className="text-ink-1">{personWords(entry)}</span>
            <Button
              size={28}
              variant="ghost"
              onPress={() => {
                onOpen(entry);
              }}
            >
              {`${actionWords(entry.action, entry.paths)}, ${resourceWords(entry)}`}
            </Button>
            <Button
              size={28}
              isPending={settle.isPending && settle.variables.sequence === entry.sequence}
              disabledReason={
                entry.can_settle
                  ? undefined
                  : "Reading the service again can't determine the outcome, or you aren't connected to the service."
              }
              onPress={() => {
                run(entry);
              }}
            >
              Check outcome
            </Button>
            {entry === first && <Kbd keys="s" />}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
