import type { Person } from '@gatehouse/api-types/console/people';
import { Button, buttonClass } from '@gatehouse/ui/button';
import { DataGrid } from '@gatehouse/ui/data-grid';
import { EmptyState, NoMatches } from '@gatehouse/ui/empty-state';
import { IconButton } from '@gatehouse/ui/icon-button';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { KeyRound, PencilLine, Plus, RotateCw, Trash2, Users } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { scopesQuery } from '#queries/access.ts';
import { peopleQuery } from '#queries/people.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { sortingOf, sortText } from '../targets/targets-search.ts';
import { reasonAgainst, reasonAgainstCreating } from './may.ts';
import { peopleColumns, peopleView, personName } from './people-columns.tsx';
import type { PeopleSearch } from './people-search.ts';

const ResetPassword = lazy(async () => ({ default: (await import('./ResetPassword.tsx')).ResetPassword }));
const DeletePerson = lazy(async () => ({ default: (await import('./DeletePerson.tsx')).DeletePerson }));
const route = getRouteApi('/$environment/people/');
const idOf = (person: Person): string => person.id;

/** Who may use the services of the environment, and as what. */
export function PeoplePage() {
  usePageTitle('People');
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(peopleQuery(environment.id));
  const scopes = useQuery(scopesQuery(environment.id));
  const [view, setView] = useGridView('people', peopleView);
  const [hasLetterKeys] = useShortcutsSetting();
  const [resetting, setResetting] = useState<Person>();
  const [deleting, setDeleting] = useState<Person>();
  const cannotCreate = reasonAgainstCreating(scopes.data);
  const params = { environment: environment.id };
  const { q = '' } = search;
  const rows = useMemo(() => {
    const needle = q.trim().toLowerCase();
    return (query.data ?? []).filter((person) =>
      [person.login_name, person.full_name, person.email, person.id].some((text) =>
        text.toLowerCase().includes(needle),
      ),
    );
  }, [query.data, q]);
  const change = (next: Partial<Record<keyof PeopleSearch, unknown>>): void => {
    const changed = { ...search, ...next } as PeopleSearch;
    void navigate({ to: '/$environment/people', params, search: changed, replace: true });
  };
  const open = ({ id }: Person): void =>
    void navigate({ to: '/$environment/people/$id', params: { ...params, id } });

  const searchInput = useSearchShortcut('Search the people', 'People');
  useShortcut(
    cannotCreate === undefined
      ? {
          keys: 'c',
          label: 'Create a person',
          group: 'People',
          run: () => void navigate({ to: '/$environment/people/new', params }),
        }
      : undefined,
  );
  useShortcut({ keys: 'r', label: 'Load the list anew', group: 'People', run: () => void query.refetch() });

  const create =
    cannotCreate === undefined ? (
      <Link
        to="/$environment/people/new"
        params={params}
        className={buttonClass({ variant: 'primary', size: 28 })}
      >
        New person
      </Link>
    ) : (
      <Button size={28} variant="primary" icon={Plus} disabledReason={cannotCreate}>
        New person
      </Button>
    );

  return (
    <>
      <PageHeader
        icon={Users}
        title="People"
        actions={
          <>
            <IconButton
              icon={RotateCw}
              label="Load the list anew"
              shortcut="r"
              isPending={query.isFetching && query.data !== undefined}
              onPress={() => void query.refetch()}
            />
            {create}
          </>
        }
        toolbar={
          <Toolbar label="Find people">
            <div className="w-full max-w-80 min-w-0">
              <SearchField
                label="Search name, login name, e-mail, id"
                shortcut="/"
                value={q}
                inputRef={searchInput}
                onChange={(text) => {
                  change({ q: text === '' ? undefined : text });
                }}
              />
            </div>
          </Toolbar>
        }
      />
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<Person>
          label="People"
          noun={{ one: 'person', many: 'people' }}
          columns={peopleColumns}
          rows={rows}
          rowId={idOf}
          rowLabel={personName}
          status={query.isError ? 'failed' : query.isPending ? 'loading' : 'ready'}
          rowHref={({ id }) => `/${environment.id}/people/${encodeURIComponent(id)}`}
          onOpen={open}
          rowActions={(person) => [
            {
              id: 'edit',
              label: 'Edit names and roles',
              icon: PencilLine,
              disabledReason: reasonAgainst(person, 'update'),
              onAction: () => {
                open(person);
              },
            },
            {
              id: 'reset',
              label: 'Reset the password',
              icon: KeyRound,
              disabledReason: reasonAgainst(person, 'update'),
              onAction: () => {
                setResetting(person);
              },
            },
            'separator',
            {
              id: 'delete',
              label: 'Delete',
              icon: Trash2,
              isDanger: true,
              disabledReason: reasonAgainst(person, 'delete'),
              onAction: () => {
                setDeleting(person);
              },
            },
          ]}
          sorting={sortingOf(search)}
          onSortingChange={(sorting) => {
            change({ sort: sortText(sorting) });
          }}
          sortedBy="here"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          empty={
            q === '' ? (
              <EmptyState
                icon={Users}
                title="No people are shown to you"
                action={create}
                command="boundary users list"
              >
                People sign in with a login name and a password, and have a role in each service.
              </EmptyState>
            ) : (
              <NoMatches
                title={`Nobody matches "${q}".`}
                action={
                  <Button
                    size={28}
                    onPress={() => {
                      change({ q: undefined });
                    }}
                  >
                    Show everybody
                  </Button>
                }
              />
            )
          }
          error={<Failure error={query.error} onRetry={() => void query.refetch()} />}
        />
      </div>
      {resetting && (
        <Suspense fallback={null}>
          <ResetPassword
            person={resetting}
            onClose={() => {
              setResetting(undefined);
            }}
          />
        </Suspense>
      )}
      {deleting && (
        <Suspense fallback={null}>
          <DeletePerson
            person={deleting}
            onClose={() => {
              setDeleting(undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
