import { providerLabel, unknownArchitecture } from '@gatehouse/api-types/console/box-values';
import { Icon } from '@gatehouse/ui/icon';
import { Link } from '@gatehouse/ui/link';
import { Check, CircleDashed, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ShowMore } from '#components/list/ShowMore.tsx';
import { byteSize } from '#lib/byte-size.ts';
import { versionGrid, type GridCell, type GridColumn, type GridVersion } from './version-grid.ts';
import { VersionState } from './VersionState.tsx';

export interface VersionGridProps {
  /** The accessible name: `Versions of acme/base`. */
  label: string;
  versions: readonly GridVersion[];
  /** The link of a version; without it the number is plain text. */
  hrefOf?: (version: string) => string | undefined;
  /** Highlights the version being published. */
  current?: string;
  /** The number of rows shown at first. */
  limit?: number;
}

/** A table of versions by provider and architecture, with the images that each has or lacks since the last release. */
export function VersionGrid({ label, versions, hrefOf, current, limit = 50 }: VersionGridProps) {
  const { columns, lines } = useMemo(() => versionGrid(versions), [versions]);
  const groups = groupsOf(columns);
  // Architectures need a second row of headings.
  const headings = groups.some(hasArchitectures) ? 2 : 1;
  // If a provider has several architectures, lines separate providers.
  const hasGroups = groups.some(([, ...more]) => more.length > 0);
  const begins = new Set(hasGroups ? groups.map(([{ key }]) => key) : []);
  const [shown, setShown] = useState(limit);
  return (
    <>
      <div
        className="relative overflow-x-auto -outline-offset-2!"
        role="region"
        aria-label={label}
        tabIndex={0}
      >
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr className={headings === 1 ? 'border-b border-line' : ''}>
              <th
                scope="col"
                rowSpan={headings}
                className={`${headClass} sticky start-0 z-1 bg-surface ps-4`}
              >
                Version
              </th>
              <th scope="col" rowSpan={headings} className={headClass}>
                State
              </th>
              {groups.map((group) => {
                const [first, ...more] = group;
                const isGroup = hasArchitectures(group);
                return (
                  <th
                    key={first.key}
                    scope={more.length > 0 ? 'colgroup' : 'col'}
                    colSpan={group.length}
                    rowSpan={isGroup ? 1 : headings}
                    className={`${headClass} ${isGroup ? 'pt-1.5' : ''} ${edgeOf(begins, first)}`}
                  >
                    {first.provider}
                  </th>
                );
              })}
              <td className="w-full" rowSpan={headings} />
            </tr>
            {headings > 1 && (
              <tr className="border-b border-line">
                {groups.filter(hasArchitectures).flatMap((group) =>
                  group.map((column) => (
                    <th
                      key={column.key}
                      scope="col"
                      className={`pe-4 pb-1.5 text-start font-mono text-meta font-normal whitespace-nowrap text-ink-2 ${edgeOf(begins, column)}`}
                    >
                      {column.architecture}
                    </th>
                  )),
                )}
              </tr>
            )}
          </thead>
          <tbody>
            {lines.slice(0, shown).map(({ version, status, cells }) => {
              const href = hrefOf?.(version);
              const ground = version === current ? 'bg-selected' : 'bg-surface';
              return (
                <tr key={version} className={`h-8 border-b border-line last:border-b-0 ${ground}`}>
                  <th
                    scope="row"
                    className={`sticky start-0 z-1 ps-4 pe-4 text-start font-medium whitespace-nowrap ${ground} ${version === current ? 'shadow-[inset_2px_0_0_var(--color-accent)]' : ''}`}
                  >
                    {href === undefined ? version : <Link href={href}>{version}</Link>}
                  </th>
                  <td className="pe-4 whitespace-nowrap">
                    <VersionState status={status} />
                  </td>
                  {cells.map((cell) => (
                    <td key={cell.key} className={`py-1 pe-4 whitespace-nowrap ${edgeOf(begins, cell)}`}>
                      <Cell cell={cell} />
                    </td>
                  ))}
                  <td />
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <ShowMore
        left={lines.length - shown}
        noun="older version"
        onPress={() => {
          setShown(shown + 100);
        }}
      />
    </>
  );
}

const headClass =
  'h-8 pe-4 text-start font-mono text-caps font-normal whitespace-nowrap text-ink-2 uppercase';

type Group = readonly [GridColumn, ...GridColumn[]];

/** Groups columns by provider. */
function groupsOf(columns: readonly GridColumn[]): readonly Group[] {
  const groups = new Map<string, [GridColumn, ...GridColumn[]]>();
  for (const column of columns) {
    const known = groups.get(column.provider.toLowerCase());
    if (known === undefined) groups.set(column.provider.toLowerCase(), [column]);
    else known.push(column);
  }
  return [...groups.values()];
}

function hasArchitectures([first, ...more]: Group): boolean {
  return more.length > 0 || first.architecture !== unknownArchitecture;
}

/** The separator line where a provider begins. */
function edgeOf(begins: ReadonlySet<string>, { key }: GridColumn): string {
  return begins.has(key) ? 'border-s border-line ps-3' : '';
}

function Cell({ cell: { state, size, last, provider, architecture, isDefault } }: { cell: GridCell }) {
  switch (state) {
    case 'ready':
      return (
        <span className="inline-flex items-center gap-1.5 text-ink-1 tabular-nums">
          <Icon icon={Check} size={14} className="text-ok" />
          {size === null ? <span className="sr-only">Ready</span> : byteSize(size)}
          {isDefault && <DefaultMark />}
        </span>
      );
    case 'empty':
      return (
        <span className="inline-flex items-center gap-1.5 text-ink-2">
          <Icon icon={CircleDashed} size={14} />
          No image
          {isDefault && <DefaultMark />}
        </span>
      );
    case 'hole':
      return (
        <span className="inline-flex h-6 items-center gap-1.5 rounded-tag border border-dashed border-warn px-1.5 text-meta text-warn">
          <Icon icon={TriangleAlert} size={12} />
          Missing
          <span className="sr-only">
            : version {last} has {providerLabel({ name: provider, architecture })}
          </span>
        </span>
      );
    case 'none':
      return <span className="sr-only">None</span>;
  }
}

/** Marks the architecture that clients get if they don't request one. */
function DefaultMark() {
  return <span className="text-meta text-ink-3">default</span>;
}
