import { Button } from '@gatehouse/ui/button';
import { EmptyState, type EmptyStateProps } from '@gatehouse/ui/empty-state';
import type { IconType } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { PageHeader, type PageHeaderProps } from '@gatehouse/ui/page-header';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { usePageTitle } from '../environment/use-page-title.ts';
import { CreateButton, type ListCreate } from './ListCreate.tsx';
import { ListRefused } from './ListFailure.tsx';
import { FindField, type ListFind } from './ListFind.tsx';
import { ListGrid, type ListGridProps } from './ListGrid.tsx';

/** The empty state of a list without records. */
export interface ListEmpty {
  /** `No targets yet` by default. */
  readonly title?: string;
  /** What the records are for, for users without any. */
  readonly about: string;
  /** The equivalent command of the service's client. */
  readonly command: string;
  /** The next action; by default, creating the first record, or refreshing. */
  readonly action?: EmptyStateProps['action'];
  /** The label of that action; `Create the first target` by default. */
  readonly create?: string;
}

/** How to refresh the list. */
export interface ListRefresh {
  readonly run: () => void;
  readonly isRunning?: boolean;
  readonly label?: string;
  /** Replaces the icon button. */
  readonly button?: ReactNode;
}

export interface ListPageProps<Row extends object>
  extends
    Omit<ListGridProps<Row>, 'label' | 'empty'>,
    Pick<PageHeaderProps, 'ancestors' | 'meta' | 'actions'> {
  title: string;
  icon: IconType;
  /** The tab's title; by default `title`. */
  pageTitle?: string;
  /** The grid's accessible name; by default `title`. */
  label?: string;
  /** The heading of its shortcuts; by default `title`. */
  group?: string;
  /** The destination of `u`. */
  up?: string;
  refresh?: ListRefresh;
  create?: ListCreate | undefined;
  find?: ListFind;
  /** Filters beside the search: `before` and `after` its field, and at the `end`. */
  filters?: { label?: string; before?: ReactNode; after?: ReactNode; end?: ReactNode };
  empty: ListEmpty | ReactElement;
  /** Shown between the header and the rows. */
  children?: ReactNode;
  /** Shown beside the rows. */
  beside?: ReactNode;
  /** Replaces the list if it can't be shown. */
  instead?: ReactNode;
  /** A new key resets the grid. */
  gridKey?: string;
}

/** The page of a list: header, search, filters, rows, and all states, with slots for special content. */
export function ListPage<Row extends object>({
  title,
  icon,
  pageTitle = title,
  label = title,
  group = title,
  up,
  ancestors,
  meta,
  actions,
  refresh,
  create,
  find,
  filters,
  empty,
  children,
  beside,
  instead,
  gridKey,
  ...grid
}: ListPageProps<Row>) {
  const { noun, query, status } = grid;
  usePageTitle(pageTitle);
  const navigate = useNavigate();
  // Neither columns nor a search for a list that stays hidden.
  const isRefused =
    query.data === undefined && grid.error === undefined && isApiError(query.error, 'forbidden');
  const {
    run,
    isRunning = query.isFetching &&
      query.data !== undefined &&
      query.isFetchingNextPage !== true &&
      status !== 'loading-more',
    label: refreshLabel = 'Refresh the list',
    button,
  } = refresh ?? { run: () => void query.refetch() };
  const to = (href: string) => (): void => void navigate({ href });
  useShortcut(
    create && {
      keys: 'c',
      label: create.label ?? `New ${noun.one}`,
      group,
      disabledReason: create.reason,
      run: to(create.href),
    },
  );
  useShortcut({ keys: 'r', label: refreshLabel, group, run });
  useShortcut(up === undefined ? undefined : { keys: 'u', label: 'Up', group, run: to(up) });
  return (
    <>
      <PageHeader
        icon={icon}
        title={title}
        ancestors={ancestors}
        meta={meta}
        actions={
          instead === undefined && (
            <>
              {button ?? (
                <IconButton
                  icon={RotateCw}
                  label={refreshLabel}
                  shortcut="r"
                  isPending={isRunning}
                  onPress={run}
                />
              )}
              {actions}
              {create && <CreateButton create={create} label={create.label ?? `New ${noun.one}`} />}
            </>
          )
        }
        toolbar={
          instead === undefined &&
          !isRefused &&
          (find ?? filters) && (
            <Toolbar label={filters?.label ?? `Find ${noun.many}`} end={filters?.end}>
              {filters?.before}
              {find && <FindField find={find} action={find.action ?? `Search ${noun.many}`} group={group} />}
              {filters?.after}
            </Toolbar>
          )
        }
      />
      {children}
      {instead ??
        (isRefused && (
          <ListRefused error={query.error} many={noun.many} onRetry={() => void query.refetch()} />
        ))}
      {instead === undefined && !isRefused && (
        <div className="flex min-h-0 flex-1">
          {beside}
          <div className="flex min-w-0 flex-1 flex-col">
            <ListGrid<Row>
              key={gridKey}
              {...grid}
              label={label}
              empty={
                isValidElement(empty) ? (
                  empty
                ) : (
                  <EmptyState
                    icon={icon}
                    title={empty.title ?? `No ${noun.many} yet`}
                    command={empty.command}
                    action={
                      empty.action ??
                      (create ? (
                        <CreateButton
                          create={create}
                          label={empty.create ?? `Create the first ${noun.one}`}
                          size={32}
                        />
                      ) : (
                        <Button onPress={run}>Refresh</Button>
                      ))
                    }
                  >
                    {empty.about}
                  </EmptyState>
                )
              }
            />
          </div>
        </div>
      )}
    </>
  );
}
