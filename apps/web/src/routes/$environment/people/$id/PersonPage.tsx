import type { Person } from '@gatehouse/api-types/console/people';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { KeyRound, ShieldOff, UserCheck, UserLock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { roleWord, serviceOrder } from '#components/people/person-words.ts';
import { accountHref, settingsHref } from '#components/places/boxes.ts';
import { DetailCard, DetailCards } from '#components/record/DetailCard.tsx';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { useErrand } from '#components/record/use-errand.ts';
import { OpenSessions } from '#components/sessions/OpenSessions.tsx';
import { serviceLabels } from '#lib/error-words.ts';
import { queryClient } from '#lib/query-client.ts';
import { people } from '#queries/people.ts';
import { recordQuery } from '#queries/record-life.ts';
import { useConnection } from '#queries/session.ts';
import { reasonAgainst, useReasonToRemain } from '../may.ts';
import { DisabledBadge } from '../people-columns.tsx';
import { personKind } from '../person-kind.tsx';
import { ConsoleSessions } from './ConsoleSessions.tsx';
import { PersonActivity } from './PersonActivity.tsx';
import { SecretTokens } from './SecretTokens.tsx';

export const Route = createFileRoute('/$environment/people/$id/')({
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(recordQuery(people, environment, id));
  },
  component: PersonPage,
});

const DeletePerson = lazy(async () => ({ default: (await import('../DeletePerson.tsx')).DeletePerson }));
const LockOut = lazy(async () => ({ default: (await import('../LockOut.tsx')).LockOut }));
const LetIn = lazy(async () => ({ default: (await import('../LetIn.tsx')).LetIn }));
const ResetPassword = lazy(async () => ({ default: (await import('../ResetPassword.tsx')).ResetPassword }));
const RegistryTokens = lazy(async () => ({
  default: (await import('./RegistryTokens.tsx')).RegistryTokens,
}));
const route = getRouteApi('/$environment/people/$id/');

/** One person: their roles, their open sessions on targets and of the console, their tokens, and what they did. */
function PersonPage() {
  const { id } = route.useParams();
  const environment = useEnvironment();
  const [isResetting, setResetting] = useState(false);
  const hasBoxes = environment.services.some(({ service }) => service === 'boxes');
  const listHref = `/${environment.id}/people`;
  const reasonToRemain = useReasonToRemain(environment.id, id);
  const isYou = useConnection(environment.id, 'access')?.account?.id === id;
  return (
    <RecordDetail
      kind={{
        ...personKind,
        reasonAgainst: (person, action) =>
          (action === 'delete' ? reasonToRemain : undefined) ?? reasonAgainst(person, action),
      }}
      id={id}
      ancestors={[{ id: 'people', label: 'People', href: listHref }]}
      listHref={listHref}
      editHref={`${listHref}/${encodeURIComponent(id)}/edit`}
      Deletion={DeletePerson}
      metaOf={DisabledBadge}
      actions={(person) => <LockOutButton person={person} />}
      menuOf={(person, _, usual) => [
        {
          id: 'reset',
          label: 'Reset the password',
          icon: KeyRound,
          disabledReason: reasonAgainst(person, 'update'),
          onAction: () => {
            setResetting(true);
          },
        },
        ...(hasBoxes && person.roles !== null && person.roles.boxes !== null
          ? [
              {
                id: 'second-factor',
                icon: ShieldOff,
                ...(isYou
                  ? { label: 'Manage your second factor', href: accountHref(environment.id) }
                  : {
                      label: 'Reset the second factor',
                      href: `${settingsHref(environment.id)}?reset=${encodeURIComponent(person.login_name)}`,
                    }),
              },
            ]
          : []),
        ...usual,
      ]}
    >
      {(person) => (
        <DetailCards>
          <div className="flex flex-col gap-4">
            <IdentityCard person={person} />
            <DetailCard
              title="Roles"
              items={serviceOrder.map((service) => ({
                label: serviceLabels[service],
                value: person.roles === null ? 'Not reported' : roleWord(person.roles[service]),
              }))}
            />
            <SecretTokens id={id} />
            <Suspense fallback={null}>{isYou && <RegistryTokens />}</Suspense>
          </div>
          <div className="flex flex-col gap-4">
            <OpenSessions of="user" id={id} />
            <ConsoleSessions person={person} />
            <PersonActivity id={id} />
          </div>
          {isResetting && (
            <Suspense fallback={null}>
              <ResetPassword
                person={person}
                onClose={() => {
                  setResetting(false);
                }}
              />
            </Suspense>
          )}
        </DetailCards>
      )}
    </RecordDetail>
  );
}

/** Locks the person out; a disabled person is let in again instead, and locked out elsewhere only by the palette. */
function LockOutButton({ person }: { person: Person }) {
  const [asked, setAsked] = useState<'lock-out' | 'let-in'>();
  const own = useConnection(useEnvironment().id, 'access');
  const reason =
    own?.account?.id === person.id ? "You can't lock out yourself." : reasonAgainst(person, 'update');
  const lockOut = (): void => {
    setAsked('lock-out');
  };
  const close = (): void => {
    setAsked(undefined);
  };
  useErrand('lock-out', reason === undefined ? lockOut : undefined);
  return (
    <>
      {person.disabled ? (
        <Button
          size={28}
          variant="ghost"
          icon={UserCheck}
          disabledReason={reason}
          onPress={() => {
            setAsked('let-in');
          }}
        >
          Let in again
        </Button>
      ) : (
        <Button size={28} variant="ghost" icon={UserLock} disabledReason={reason} onPress={lockOut}>
          Lock out
        </Button>
      )}
      <Suspense fallback={null}>
        {asked === 'lock-out' && <LockOut person={person} onClose={close} />}
        {asked === 'let-in' && <LetIn person={person} onClose={close} />}
      </Suspense>
    </>
  );
}

function IdentityCard({ person }: { person: Person }) {
  return (
    <DetailCard
      title="Identity"
      items={[
        { label: 'Full name', value: person.full_name },
        { label: 'Login name', value: person.login_name, isMono: true, copyText: person.login_name },
        { label: 'E-mail', value: person.email },
        { label: 'State', value: person.disabled ? "Disabled: can't sign in" : 'Enabled' },
        { label: 'ID', value: person.id, isMono: true, copyText: person.id },
        { label: 'Version', value: person.revision },
        { label: 'Created', value: <Time value={person.created_time} /> },
        { label: 'Updated', value: <Time value={person.updated_time} /> },
      ]}
    />
  );
}
