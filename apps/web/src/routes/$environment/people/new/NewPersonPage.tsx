import type { Person } from '@gatehouse/api-types/console/people';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { WithRight } from '#components/record/WithRight.tsx';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from '#queries/access.ts';
import { people } from '#queries/people.ts';
import { useAccountPlaces } from '../AccountPlace.tsx';
import { reasonAgainstCreating } from '../may.ts';
import { newPassword } from '../new-password.ts';
import { blankPerson, fieldsOfForm, newPersonForm } from '../person-form.ts';

export const Route = createFileRoute('/$environment/people/new/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: NewPersonPage,
});

// Loaded while you fill in the form: the password is shown only once, so nothing may fail by then.
const loadCreated = () => import('./PersonCreated.tsx');
const PersonCreated = lazy(async () => ({ default: (await loadCreated()).PersonCreated }));

/** Shows the login name until a full name is set. */
const newPerson = { calls: people, noun: 'person', nameOf: (person: Person): string => person.login_name };

function NewPersonPage() {
  const environment = useEnvironment();
  const scopes = useQuery(scopesQuery(environment.id));
  const [spec] = useState(newPersonForm);
  const { names, isOne } = useAccountPlaces();
  const [password] = useState(newPassword);
  useEffect(() => {
    loadCreated().catch(() => undefined);
  }, []);
  const listHref = `/${environment.id}/people`;
  const page = {
    icon: UserPlus,
    title: 'New person',
    ancestors: [{ id: 'people', label: 'People', href: listHref }],
  };
  return (
    <WithRight
      {...page}
      many="people"
      listHref={listHref}
      queries={[scopes]}
      reason={reasonAgainstCreating(scopes.data)}
    >
      {() => (
        <NewRecord
          {...page}
          kind={newPerson}
          blank={blankPerson}
          formOf={() => spec}
          bodyOf={(values) => {
            const { full_name, email, roles } = fieldsOfForm(values);
            return {
              login_name: values.login_name,
              password,
              ...(full_name !== '' && { full_name }),
              ...(email !== '' && { email }),
              roles,
            };
          }}
          hrefOf={() => listHref}
          cancelHref={listHref}
          asideOf={() => (
            <p className="text-body text-ink-2">
              A password is generated and shown once after creation, for you to pass on.
              {!isOne && ` The account is the same in ${names}.`}
            </p>
          )}
          onceMade={({ login_name: loginName }, leave) => (
            <Suspense fallback={null}>
              <PersonCreated loginName={loginName} password={password} onClose={leave} />
            </Suspense>
          )}
        />
      )}
    </WithRight>
  );
}
