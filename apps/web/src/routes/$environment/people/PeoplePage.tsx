import type { Person } from '@gatehouse/api-types/console/people';
import { lazy } from '@gatehouse/ui/lazy';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { KeyRound, PencilLine, Trash2, Users } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { personName } from '#components/people/person-words.ts';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { scopesQuery } from '#queries/access.ts';
import { peopleQuery } from '#queries/people.ts';
import { reasonAgainst, reasonAgainstCreating, reasonToRemain } from './may.ts';
import { peopleColumns, peopleView } from './people-columns.tsx';

export const Route = createFileRoute('/$environment/people/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(peopleQuery(environment));
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: PeoplePage,
});

const ResetPassword = lazy(async () => ({ default: (await import('./ResetPassword.tsx')).ResetPassword }));
const DeletePerson = lazy(async () => ({ default: (await import('./DeletePerson.tsx')).DeletePerson }));
const noun = { one: 'person', many: 'people' };
const textsOf = ({ login_name, full_name, email, id }: Person): readonly string[] => [
  login_name,
  full_name,
  email,
  id,
];

/** The users of the environment's services, with their roles. */
function PeoplePage() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const query = useQuery(peopleQuery(environment.id));
  const scopes = useQuery(scopesQuery(environment.id));
  const [resetting, setResetting] = useState<Person>();
  const [deleting, setDeleting] = useState<Person>();
  const list = useWholeList<Person>(useSearchState(listSearch), {
    items: query.data,
    columns: peopleColumns,
    rowId: idOf,
    noun,
    finds: 'Search name, login name, e-mail, ID',
    firstSort: 'login_name',
    textsOf,
    nothing: (text) => `No one matches "${text}".`,
  });
  const here = `/${environment.id}/people`;
  const hrefOf = ({ id }: Person): string => `${here}/${encodeURIComponent(id)}`;
  const actionsOf = (person: Person): readonly MenuEntry[] => [
    {
      id: 'edit',
      label: 'Edit names and roles',
      icon: PencilLine,
      disabledReason: reasonAgainst(person, 'update'),
      onAction: () => void navigate({ href: `${hrefOf(person)}/edit` }),
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
      disabledReason: reasonToRemain(person.id, query.data ?? []) ?? reasonAgainst(person, 'delete'),
      onAction: () => {
        setDeleting(person);
      },
    },
  ];
  return (
    <>
      <ListPage<Person>
        {...list}
        title="People"
        icon={Users}
        list="people"
        firstView={peopleView}
        query={query}
        rowLabel={personName}
        rowHref={hrefOf}
        rowActions={actionsOf}
        narrowed={list.narrowed && { ...list.narrowed, label: 'Show everyone' }}
        create={{ href: `${here}/new`, reason: reasonAgainstCreating(scopes.data) }}
        empty={{
          title: 'No people you can see',
          about: 'People sign in with a login name and password, and have a role in each service.',
          command: 'boundary users list',
          create: 'New person',
        }}
      />
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
            item={deleting}
            onClose={() => {
              setDeleting(undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
