import { Badge, StatusDot } from '@gatehouse/ui/badge';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { Time } from '#components/environment/Time.tsx';
import type { VersionRow } from './version-rows.ts';
import { versionStateWords } from './version-words.ts';
import { VersionNode } from './VersionNode.tsx';

/** The timeline's columns. Its line starts at the newest version and ends at the oldest. */
export function versionColumns(newest: number, oldest: number): readonly GridColumn<VersionRow>[] {
  return [
    {
      id: 'version',
      header: 'Version',
      value: ({ version }) => version,
      cell: (row) => (
        <span className="flex h-10 items-center gap-2">
          <VersionNode row={row} isFirst={row.version === newest} isLast={row.version === oldest} />
          <span>Version {row.version}</span>
          {row.isCurrent && <Badge tone="accent">Current</Badge>}
        </span>
      ),
      width: 176,
      isRowHeader: true,
    },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => versionStateWords[state].word,
      cell: ({ state }) => (
        <StatusDot tone={versionStateWords[state].tone}>{versionStateWords[state].word}</StatusDot>
      ),
      width: 152,
    },
    {
      id: 'created',
      header: 'Written',
      value: ({ created_time: time }) => time,
      cell: ({ created_time: time }) => <Time value={time} isRelative />,
      width: 128,
    },
    { id: 'author', header: 'By', value: ({ author }) => author, width: 196 },
    {
      id: 'superseded',
      header: 'Superseded',
      value: ({ supersededTime }) => supersededTime,
      cell: ({ supersededTime: time }) => (time === null ? null : <Time value={time} isRelative />),
      width: 128,
    },
    {
      id: 'deletion',
      header: 'Deletion',
      value: ({ deletion_time: time }) => time,
      cell: ({ deletion_time: time }) => (time === '' ? null : <Time value={time} isRelative />),
      width: 128,
    },
  ];
}
