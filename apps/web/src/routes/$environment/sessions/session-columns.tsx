import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn, GridView } from '@gatehouse/ui/data-grid';
import { useNow } from '@gatehouse/ui/time';
import { Time } from '#components/environment/Time.tsx';
import { formatSpan } from '#components/sessions/outlive.ts';
import { isOpen } from '#components/sessions/quiet-time.ts';
import { nameOr, statusWords } from '#components/sessions/session-words.ts';
import { showLimit } from '#components/targets/show-target.ts';

/** The list's columns; `value` is the key for sorting and searching. */
export const sessionColumns: readonly GridColumn<AccessSession>[] = [
  {
    id: 'user',
    header: 'Person',
    value: (session) => nameOr(session.user_name, session.user_id),
    below: (session) =>
      `${statusWords(session.status).word} · ${nameOr(session.target_name, session.target_id)}`,
    width: 164,
    isRowHeader: true,
    sortable: true,
  },
  {
    id: 'target',
    header: 'Target',
    value: (session) => nameOr(session.target_name, session.target_id),
    width: 188,
    sortable: true,
  },
  {
    id: 'status',
    header: 'State',
    value: ({ status }) => status,
    cell: ({ status }) => <Badge tone={statusWords(status).tone}>{statusWords(status).word}</Badge>,
    width: 112,
    sortable: true,
  },
  {
    id: 'remaining',
    header: 'Remaining',
    value: (session) => (isOpen(session) ? session.expiration_time : null),
    cell: (session) => (isOpen(session) ? <Remaining until={session.expiration_time} /> : null),
    width: 100,
    align: 'end',
    sortable: true,
  },
  {
    id: 'created_time',
    header: 'Started',
    value: (session) => session.created_time,
    cell: (session) => <Time value={session.created_time} isRelative />,
    width: 124,
    sortable: true,
  },
  {
    id: 'endpoint',
    header: 'Endpoint',
    value: ({ endpoint }) => endpoint,
    width: 360,
    isMono: true,
    sortable: true,
  },
  {
    id: 'connection_limit',
    header: 'Connections',
    value: (session) => session.connection_limit,
    cell: (session) => showLimit(session.connection_limit),
    width: 116,
    align: 'end',
    sortable: true,
  },
  {
    id: 'scope',
    header: 'Project',
    value: (session) => nameOr(session.scope.name, session.scope_id),
    width: 108,
    sortable: true,
  },
  { id: 'id', header: 'ID', value: ({ id }) => id, width: 124, isMono: true, sortable: true },
  { id: 'type', header: 'Type', value: ({ type }) => type, width: 64, isMono: true, sortable: true },
  {
    id: 'termination_reason',
    header: 'Reason for end',
    value: (session) => session.termination_reason,
    width: 160,
    sortable: true,
  },
];

/** The default view. */
export const sessionView: GridView = {
  hidden: ['id', 'connection_limit', 'type', 'termination_reason'],
  widths: {},
  pinned: { start: ['user'], end: [] },
  density: 32,
};

/** The remaining time of a session, updated continuously. */
export function Remaining({ until }: { until: string }) {
  const left = Date.parse(until) - useNow();
  return left <= 0 ? 'Over' : <span className="tabular-nums">{formatSpan(left)}</span>;
}
