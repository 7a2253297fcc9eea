import { architectureOf, unknownArchitecture } from '@gatehouse/api-types/console/box-values';
import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn, GridView } from '@gatehouse/ui/data-grid';
import { Lock } from 'lucide-react';
import { Time } from '#components/environment/Time.tsx';

/** Each provider name once: newer registries have an entry per architecture. */
export function providerNames({ current_version: version }: BoxSummary): readonly string[] {
  return [...new Set(version?.providers.map(({ name }) => name))];
}

/** The newest release's architectures, each once; empty if unknown. */
export function architecturesIn({ current_version: version }: BoxSummary): readonly string[] {
  const known = (version?.providers ?? []).map(architectureOf);
  return [...new Set(known)].filter((architecture) => architecture !== unknownArchitecture).toSorted();
}

/** Names of providers or architectures, and whether the list of a box with many providers left some out. */
function names(known: readonly string[], { current_version: version }: BoxSummary): string {
  return [...known, ...(version?.has_all_providers === false ? ['maybe more'] : [])].join(', ');
}

/** Columns of a list of boxes. @param sortable the IDs of sortable columns */
export function boxColumns(sortable: readonly string[]): readonly GridColumn<BoxSummary>[] {
  const columns: readonly GridColumn<BoxSummary>[] = [
    {
      id: 'tag',
      header: 'Box',
      value: ({ tag }) => tag,
      below: ({ current_version: version, is_private: isPrivate }) =>
        `${version?.version ?? 'None released'} · ${isPrivate ? 'Private' : 'Public'}`,
      width: 240,
      isRowHeader: true,
    },
    {
      id: 'visibility',
      header: 'Access',
      value: (box) => (box.is_private ? 'Private' : 'Public'),
      cell: (box) => (box.is_private ? <Badge icon={Lock}>Private</Badge> : 'Public'),
      width: 104,
    },
    {
      id: 'version',
      header: 'Version',
      value: ({ current_version: version }) => version?.version ?? 'None released',
      cell: ({ current_version: version }) =>
        version === null ? <span className="text-ink-3">None released</span> : version.version,
      width: 120,
    },
    {
      id: 'providers',
      header: 'Providers',
      value: (box) => names(providerNames(box), box),
      width: 200,
    },
    {
      id: 'architectures',
      header: 'Architectures',
      value: (box) => names(architecturesIn(box), box),
      width: 136,
    },
    {
      id: 'downloads',
      header: 'Downloads',
      value: ({ downloads }) => downloads,
      cell: ({ downloads }) => downloads.toLocaleString('en'),
      width: 112,
      align: 'end',
    },
    {
      id: 'updated',
      header: 'Updated',
      value: ({ updated_time: time }) => time,
      cell: ({ updated_time: time }) => <Time value={time} isRelative />,
      width: 128,
    },
    {
      id: 'created',
      header: 'Created',
      value: ({ created_time: time }) => time,
      cell: ({ created_time: time }) => <Time value={time} isRelative />,
      width: 128,
    },
    {
      id: 'description',
      header: 'Description',
      value: ({ short_description: text }) => text,
      width: 360,
    },
  ];
  return columns.map((column) => ({ ...column, sortable: sortable.includes(column.id) }));
}

/** The default view. Hides the creation time, because the last change is more useful. */
export const boxesView: GridView = {
  hidden: ['created'],
  widths: {},
  pinned: { start: [], end: [] },
  density: 32,
};
