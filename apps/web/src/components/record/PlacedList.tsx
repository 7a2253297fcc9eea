import type { GridColumn, GridNoun } from '@gatehouse/ui/data-grid';
import { useQuery } from '@tanstack/react-query';
import { listSearch } from '#lib/search.ts';
import { scopesQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { recordListQuery } from '#queries/records.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { ListCreate } from '../list/ListCreate.tsx';
import { ListPage, type ListEmpty } from '../list/ListPage.tsx';
import { idOf } from '../list/row-id.ts';
import { useSearchState } from '../list/use-search-state.ts';
import { useWholeList } from '../list/use-whole-list.ts';
import { placedColumns } from './placed-columns.tsx';
import { usePlaces, type Placed, type PlacedKind } from './placed-kind.ts';
import { projectsToCreateIn } from './projects.ts';
import { nameOrId } from './record-kind.ts';

const usual = placedColumns<Placed>();

/** The list of records that projects contain: all that the user may see. */
export function PlacedList<Item extends Placed>({
  kind,
  columns = usual,
  empty,
}: {
  kind: PlacedKind<Item>;
  columns?: readonly GridColumn<Item>[];
  empty: ListEmpty;
}) {
  const { key } = kind.calls;
  const places = usePlaces(kind);
  const noun = { one: kind.noun, many: kind.many };
  const query = useQuery(recordListQuery(kind.calls, useEnvironment().id, globalScope));
  const list = useWholeList<Item>(useSearchState(listSearch), {
    items: query.data,
    columns,
    rowId: idOf,
    noun,
    finds: 'Search name, ID, project, description',
    firstSort: 'name',
  });
  return (
    <ListPage<Item>
      {...list}
      title={kind.title}
      icon={kind.icon}
      list={key}
      query={query}
      rowLabel={nameOrId}
      rowHref={places.hrefOf}
      create={useCreateInProjects(key, noun, places.newHref)}
      empty={empty}
    />
  );
}

/** Whether the user can create a record in any project. @param collection in the controller's words */
function useCreateInProjects(collection: string, { many }: GridNoun, href: string): ListCreate {
  const scopes = useQuery(scopesQuery(useEnvironment().id));
  if (scopes.data === undefined) return { href, reason: 'Your permissions here are still loading.' };
  const can = projectsToCreateIn(scopes.data, collection).length > 0;
  return {
    href,
    reason: can
      ? undefined
      : `Your role in the access controller doesn't let you create ${many} in any project.`,
  };
}
