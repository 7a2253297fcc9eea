import { saidBy, type ActivityEntry, type ChangedValue } from '@gatehouse/api-types/console/activity';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { DiffList } from '@gatehouse/ui/diff-list';
import { Drawer } from '@gatehouse/ui/drawer';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { Link } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import {
  actionWords,
  fieldWords,
  outcomeOf,
  personWords,
  resourceWords,
} from '#components/activity/activity-words.ts';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { serviceLabels } from '#lib/error-words.ts';
import { activityEntryQuery } from '#queries/activity.ts';
import { resourceHref } from './resource-href.ts';
import { SettleNews } from './SettleNews.tsx';
import type { Trail } from './use-trail.ts';

export interface EntryPanelProps {
  sequence: string;
  /** From the list. */
  listed: ActivityEntry | undefined;
  settle: Trail['settle'];
  onClose: () => void;
}

/** One entry of the trail, read-only. */
export function EntryPanel({ sequence, listed, settle, onClose }: EntryPanelProps) {
  const environment = useEnvironment();
  const query = useQuery(activityEntryQuery(environment.id, sequence));
  const entry = listed ?? query.data;
  return (
    <Drawer
      isOpen
      onOpenChange={onClose}
      title={entry ? actionWords(entry.action, entry.paths) : 'Activity'}
      description={`Entry ${sequence}`}
      footer={
        entry?.can_settle === true ? (
          <Button
            variant="primary"
            isPending={settle.isPending}
            onPress={() => {
              settle.mutate({ sequence: entry.sequence });
            }}
          >
            Check outcome
          </Button>
        ) : undefined
      }
    >
      {!entry && query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {!entry && !query.isError && <SkeletonList label="Loading the entry" lines={8} />}
      {settle.variables?.sequence === entry?.sequence && <SettleNews settle={settle} />}
      {query.data?.values && <Values values={query.data.values} />}
      {entry && <Details entry={entry} environment={environment.id} />}
    </Drawer>
  );
}

/** The values of changed fields, as long as they are kept. */
function Values({ values }: { values: readonly ChangedValue[] }) {
  return (
    <DiffList
      label="Values of changed fields"
      changes={values.map(({ path, before, after }) => ({
        id: path,
        label: path,
        kind: before ? (after ? 'changed' : 'removed') : 'added',
        before,
        after,
      }))}
    />
  );
}

function Details({ entry, environment }: { entry: ActivityEntry; environment: string }) {
  const { word, tone } = outcomeOf(entry);
  const href = resourceHref(entry, environment);
  const name = resourceWords(entry);
  return (
    <KeyValueList
      emptyText="None"
      items={[
        { label: 'Outcome', value: <Badge tone={tone}>{word}</Badge> },
        ...(entry.problem === null ? [] : [problemItem(entry.problem)]),
        { label: 'Attempted', value: <Time value={entry.time} /> },
        {
          label: 'Outcome recorded',
          value: entry.outcome_time === null ? 'Not yet' : <Time value={entry.outcome_time} />,
        },
        { label: 'Person', value: personWords(entry) },
        {
          label: 'Login name',
          value: entry.person.login_name,
          isMono: true,
          copyText: entry.person.login_name,
        },
        { label: 'From', value: entry.address, isMono: true, copyText: entry.address },
        { label: 'Service', value: entry.service === null ? 'Console' : serviceLabels[entry.service] },
        { label: 'Action', value: entry.action, isMono: true },
        { label: 'Record', value: href === undefined ? name : <Link href={href}>{name}</Link> },
        { label: 'ID', value: entry.resource.id, isMono: true, copyText: entry.resource.id },
        {
          label: entry.action.endsWith('.export') ? 'Filters' : 'Fields',
          value: fieldWords(entry),
        },
        {
          label: 'Conflict decisions',
          value: entry.decisions.map(({ path, choice }) => `${path}: ${choice}`).join(', '),
        },
        { label: 'Version before', value: entry.revision_before, isMono: true },
        { label: 'Version after', value: entry.revision_after, isMono: true },
        { label: 'Request', value: entry.request_id, isMono: true, copyText: entry.request_id },
        { label: 'Hash', value: entry.hash, isMono: true, copyText: entry.hash },
      ]}
    />
  );
}

function problemItem(problem: string) {
  return problem.startsWith(saidBy)
    ? { label: 'Outcome said by', value: problem.slice(saidBy.length), isMono: true }
    : { label: 'Problem', value: problem, isMono: true };
}
