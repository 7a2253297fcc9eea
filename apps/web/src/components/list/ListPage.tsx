import { Button } from '@gatehouse/ui/button';
import { EmptyState, type EmptyStateProps } from '@gatehouse/ui/empty-state';
import type { IconType } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { PageHeader, type PageHeaderProps } from '@gatehouse/ui/page-header';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { useShortcut } from '#lib/shortcuts.ts';
import { usePageTitle } from '../environment/use-page-title.ts';
import { CreateButton, type ListCreate } from './ListCreate.tsx';
import { FindField, type ListFind } from './ListFind.tsx';
import { ListGrid, type ListGridProps } from './ListGrid.tsx';

/** What is said where there is nothing at all. */
export interface ListEmpty {
  /** `No targets yet` without it. */
  readonly title?: string;
  /** What they are for: read by those who see none yet. */
  readonly about: string;
  /** The command of the service's own client that does the same. */
  readonly command: string;
  /** The next thing to do; without it creating the first one, or looking again. */
  readonly action?: EmptyStateProps['action'];
  /** What creating the first one is called; `Create the first target` without it. */
  readonly create?: string;
}

/** How the list is asked for again. */
export interface ListRefresh {
  readonly run: () => void;
  readonly isRunning?: boolean;
  readonly label?: string;
  /** Instead of the button with the icon. */
  readonly button?: ReactNode;
}

export interface ListPageProps<Row extends object>
  extends
    Omit<ListGridProps<Row>, 'label' | 'empty'>,
    Pick<PageHeaderProps, 'ancestors' | 'meta' | 'actions'> {
  title: string;
  icon: IconType;
  /** The title of the tab, where it says more. */
  pageTitle?: string;
  /** The grid's accessible name; the title without it. */
  label?: string;
  /** The heading of its shortcuts; the title without it. */
  group?: string;
  /** Where `u` leads. */
  up?: string;
  refresh?: ListRefresh;
  create?: ListCreate | undefined;
  find?: ListFind;
  /** What narrows the list beside the words: `before` and `after` their field, and at the `end`. */
  filters?: { label?: string; before?: ReactNode; after?: ReactNode; end?: ReactNode };
  empty: ListEmpty | ReactElement;
  /** Between the header and the rows. */
  children?: ReactNode;
  /** At the side of the rows. */
  beside?: ReactNode;
  /** Instead of the list, where there is none to be had. */
  instead?: ReactNode;
  /** Another key begins with a grid as it was at first. */
  gridKey?: string;
}

/** The page of a list: header, search, filters, rows, and every state that they can be in. What is special is a slot. */
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
          (find ?? filters) && (
            <Toolbar label={filters?.label ?? `Find ${noun.many}`} end={filters?.end}>
              {filters?.before}
              {find && (
                <FindField find={find} action={find.action ?? `Search the ${noun.many}`} group={group} />
              )}
              {filters?.after}
            </Toolbar>
          )
        }
      />
      {children}
      {instead ?? (
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
