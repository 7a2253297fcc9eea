import { Button } from '@gatehouse/ui/button';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { LinkButton } from '@gatehouse/ui/link';
import { VisibleEnds } from '@gatehouse/ui/visible-ends';
import { crumbsOf, folderHref, nameOf } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import type { Scan } from './use-scan.ts';
import type { Found } from './walk.ts';

/** The column of a found secret's path. */
export const pathColumn = {
  id: 'path',
  header: 'Secret',
  value: ({ path }) => path,
  cell: ({ path }) => <VisibleEnds text={path} isPath />,
  width: 340,
  isRowHeader: true,
} satisfies GridColumn<{ readonly path: string }>;

const idOf = ({ path }: { readonly path: string }): string => path;

/**
 * What the list pages of searches below a folder share.
 * @param rows the shown secrets
 * @param again starts the search again
 */
export function scanList<Secret extends { readonly path: string }>(
  place: SecretPlace,
  { state, found, error, stop, restart }: Scan<Found<Secret>>,
  rows: readonly Secret[],
  again = restart,
) {
  const name = place.path === '' ? place.mount : nameOf(place.path);
  const here = folderHref(place);
  const isRunning = state === 'running';
  return {
    /** The folder's or the engine's. */
    name,
    toFolder: <LinkButton href={here}>Go to the folder</LinkButton>,
    list: {
      noun: { one: 'secret', many: 'secrets' },
      query: {
        data: found,
        error,
        isPending: false,
        isError: state === 'failed',
        isFetching: isRunning,
        refetch: restart,
      },
      status: isRunning && rows.length === 0 ? ('loading' as const) : undefined,
      rows,
      rowId: idOf,
      rowLabel: idOf,
      ancestors: [...crumbsOf(place), { id: 'here', label: name, href: here }],
      up: here,
      refresh: {
        run: again,
        label: 'Search again',
        button: isRunning ? (
          <Button size={28} onPress={stop}>
            Stop the search
          </Button>
        ) : (
          <Button size={28} shortcut="r" onPress={again}>
            Search again
          </Button>
        ),
      },
    },
  };
}
