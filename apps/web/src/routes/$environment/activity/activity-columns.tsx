import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn, GridView } from '@gatehouse/ui/data-grid';
import {
  actionWords,
  fieldWords,
  outcomeOf,
  personWords,
  resourceWords,
} from '#components/activity/activity-words.ts';
import { Time } from '#components/environment/Time.tsx';
import { serviceLabels } from '#lib/error-words.ts';
import type { ListedEntry } from './fold-jobs.ts';

/** @param onToggle shows or hides the other entries of a job */
export const activityColumns = (onToggle: (key: string) => void): readonly GridColumn<ListedEntry>[] => [
  {
    id: 'sequence',
    header: 'No.',
    value: ({ sequence }) => String(sequence),
    width: 64,
    isMono: true,
    isRowHeader: true,
  },
  {
    id: 'time',
    header: 'Time',
    value: ({ time }) => time,
    cell: ({ time }) => <Time value={time} />,
    width: 160,
  },
  {
    id: 'person',
    header: 'Person',
    value: personWords,
    cell: (entry) => <Named name={personWords(entry)} id={entry.person.login_name} />,
    width: 196,
  },
  {
    id: 'action',
    header: 'Action',
    value: ({ action, paths }) => actionWords(action, paths),
    below: (entry) => [...new Set([resourceWords(entry), personWords(entry)])].join(' · '),
    cell: ({ action, paths, job, isPart = false }) => (
      <span className={isPart ? 'ps-4' : undefined}>
        {actionWords(action, paths)}{' '}
        {job && (
          <button
            type="button"
            aria-expanded={job.isOpen}
            className="text-accent underline"
            onClick={() => {
              onToggle(job.key);
            }}
          >
            {job.isOpen ? `hide ${String(job.others)}` : `and ${String(job.others)} more`}
          </button>
        )}
      </span>
    ),
    width: 224,
  },
  {
    id: 'resource',
    header: 'Record',
    value: resourceWords,
    cell: (entry) => <Named name={resourceWords(entry)} id={entry.resource.id} />,
    width: 268,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    value: (entry) => outcomeOf(entry).word,
    cell: (entry) => {
      const { word, tone } = outcomeOf(entry);
      return <Badge tone={tone}>{word}</Badge>;
    },
    width: 136,
  },
  {
    id: 'paths',
    header: 'Fields',
    value: (entry) => fieldWords(entry) || 'None',
    cell: (entry) => fieldWords(entry) || <span className="text-ink-3">None</span>,
    width: 164,
  },
  {
    id: 'service',
    header: 'Service',
    value: ({ service }) => (service === null ? 'Console' : serviceLabels[service]),
    width: 140,
  },
  { id: 'problem', header: 'Problem', value: ({ problem }) => problem, width: 150, isMono: true },
  { id: 'address', header: 'From', value: ({ address }) => address, width: 130, isMono: true },
  { id: 'request_id', header: 'Request', value: ({ request_id: id }) => id, width: 200, isMono: true },
];

export const activityView: GridView = {
  hidden: ['problem', 'address', 'request_id'],
  widths: {},
  pinned: { start: ['sequence'], end: [] },
  density: 32,
};

/** A name with its ID, if they differ. */
function Named({ name, id }: { name: string; id: string }) {
  return (
    <span>
      {name} {id !== '' && id !== name && <span className="font-mono text-meta text-ink-2">{id}</span>}
    </span>
  );
}
