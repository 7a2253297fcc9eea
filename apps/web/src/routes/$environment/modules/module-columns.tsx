import type { ModuleSummary } from '@gatehouse/api-types/console/modules';
import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn, GridView } from '@gatehouse/ui/data-grid';
import { BadgeCheck } from 'lucide-react';
import { Time } from '#components/environment/Time.tsx';
import { arrangeRecords } from '#components/list/arrange-records.ts';
import { deprecationWords } from './deprecation-words.ts';
import { DeprecationBadge } from './DeprecationBadge.tsx';

const moduleColumns: readonly GridColumn<ModuleSummary>[] = [
  {
    id: 'module',
    header: 'Module',
    value: ({ namespace, name }) => `${namespace}/${name}`,
    below: ({ provider, version }) => `${provider} · ${version}`,
    width: 240,
    isRowHeader: true,
  },
  {
    id: 'provider',
    header: 'Provider',
    value: ({ provider }) => provider,
    cell: ({ provider }) => <Badge>{provider}</Badge>,
    width: 112,
  },
  { id: 'version', header: 'Version', value: ({ version }) => version, width: 104 },
  {
    id: 'verified',
    header: 'Verified',
    value: ({ verified }) => (verified ? 'Verified' : ''),
    cell: ({ verified }) =>
      verified ? (
        <Badge tone="accent" icon={BadgeCheck}>
          Verified
        </Badge>
      ) : null,
    width: 104,
  },
  {
    id: 'deprecation',
    header: 'State',
    value: ({ deprecation }) => (deprecation === null ? '' : deprecationWords[deprecation.state].word),
    cell: ({ deprecation }) => deprecation && <DeprecationBadge deprecation={deprecation} />,
    width: 120,
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
    id: 'published',
    header: 'Published',
    value: ({ published_time: time }) => time,
    cell: ({ published_time: time }) => (time === '' ? null : <Time value={time} isRelative />),
    width: 128,
  },
  { id: 'owner', header: 'Owner', value: ({ owner }) => owner, width: 128 },
  { id: 'description', header: 'Description', value: ({ description }) => description, width: 400 },
];

const sortable: ReadonlySet<string> = new Set(['module', 'provider', 'downloads', 'published']);
const sortableColumns = moduleColumns.map((column) => ({ ...column, sortable: sortable.has(column.id) }));

export function moduleIdOf({ namespace, name, provider }: ModuleSummary): string {
  return `${namespace}/${name}/${provider}`;
}

/**
 * Rows in the chosen order, by name unless chosen. Registries don't sort, so only a list that is loaded completely can
 * be sorted.
 */
export function sortedModules(modules: readonly ModuleSummary[], isWhole: boolean, chosen?: string) {
  const columns = isWhole ? sortableColumns : moduleColumns;
  const sort = isWhole ? (chosen ?? 'module') : undefined;
  return { columns, rows: arrangeRecords(modules, { columns, rowId: moduleIdOf }, '', sort), sort };
}

/** The default view. */
export const modulesView: GridView = {
  hidden: ['owner'],
  widths: {},
  pinned: { start: [], end: [] },
  density: 32,
};
