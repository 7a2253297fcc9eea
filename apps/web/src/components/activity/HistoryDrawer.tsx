import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { Drawer } from '@gatehouse/ui/drawer';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { defaultStringifySearch } from '@tanstack/react-router';
import { recordActivityQuery } from '#queries/activity.ts';
import { Time } from '../environment/Time.tsx';
import { useEnvironment } from '../environment/use-environment.ts';
import { Loaded } from '../errors/Loaded.tsx';
import { personWords } from './activity-words.ts';
import { ActivityRow } from './ActivityRow.tsx';

/** Who last changed a record and when, and its newest entries of the audit trail. */
export function HistoryDrawer({
  resource,
  name,
  onClose,
}: {
  /** The record's ID in the audit trail. */
  resource: string;
  name: string;
  onClose: () => void;
}) {
  const { id: environment } = useEnvironment();
  const query = useQuery(recordActivityQuery(environment, resource));
  const all = `/${environment}/activity${defaultStringifySearch({ resource })}`;
  return (
    <Drawer
      isOpen
      onOpenChange={onClose}
      title={`History of ${name}`}
      footer={<LinkButton href={all}>All activity on this record</LinkButton>}
    >
      <Loaded query={query} label="Loading the history" lines={6}>
        {({ sees, items }) => (
          <div className="flex flex-col gap-4">
            {sees === 'own' && (
              <p className="text-body text-ink-2">
                Only your own activity is shown. Administrators see everyone's.
              </p>
            )}
            <LastChange entries={items} />
            <ol className="flex flex-col">
              {items.map((entry) => (
                <li key={entry.sequence} className="border-t border-line py-2">
                  <ActivityRow entry={entry} about={personWords(entry)} />
                </li>
              ))}
            </ol>
          </div>
        )}
      </Loaded>
    </Drawer>
  );
}

const unchanging = /\.(?:reveal|export|download|read)|^(?:secret-copy|session)\./;

function LastChange({ entries }: { entries: readonly ActivityEntry[] }) {
  const last = entries.find(({ action, outcome }) => outcome === 'succeeded' && !unchanging.test(action));
  if (last === undefined) {
    return (
      <p className="text-body text-ink-2">
        {entries.length === 0
          ? 'The console has recorded no activity on this record. Other clients are not recorded.'
          : 'None of these entries changed the record.'}
      </p>
    );
  }
  return (
    <p className="text-body text-ink-1">
      Last changed through the console by <strong className="font-medium">{personWords(last)}</strong>,{' '}
      <Time value={last.time} isRelative />
    </p>
  );
}
