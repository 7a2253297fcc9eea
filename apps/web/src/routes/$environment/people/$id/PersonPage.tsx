import type { Person } from '@gatehouse/api-types/console/people';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { KeyRound, Trash2, UserRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { HistoryButton } from '#components/activity/HistoryButton.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { settingsHref } from '#components/places/boxes.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { useErrand } from '#components/record/use-errand.ts';
import { serviceLabels } from '#lib/error-words.ts';
import { reasonAgainst } from '../may.ts';
import { personName } from '../people-columns.tsx';
import { personKind } from '../person-kind.tsx';
import { roleWord, serviceOrder } from '../role-words.ts';

const ResetPassword = lazy(async () => ({ default: (await import('../ResetPassword.tsx')).ResetPassword }));
const DeletePerson = lazy(async () => ({ default: (await import('../DeletePerson.tsx')).DeletePerson }));
const route = getRouteApi('/$environment/people/$id/');

/** One person: a form if you may edit, else read-only with the reason. */
export function PersonPage() {
  const { id } = route.useParams();
  const environment = useEnvironment();
  const listHref = `/${environment.id}/people`;
  return (
    <EditRecord
      kind={personKind}
      address={id}
      icon={UserRound}
      title={(person) => (person === undefined ? id : personName(person))}
      pageTitle={(person) => (person === undefined ? 'Person' : personName(person))}
      ancestors={[{ id: 'people', label: 'People', href: listHref }]}
      hrefOf={() => listHref}
      listHref={listHref}
      meta={({ disabled }) => (disabled ? <Badge tone="warn">Disabled</Badge> : undefined)}
      actions={(person) => <PersonActions person={person} listHref={listHref} />}
      readOnly={(person, reason) => <ReadPerson person={person} reason={reason} />}
    />
  );
}

function PersonActions({ person, listHref }: { person: Person; listHref: string }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const [isResetting, setResetting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const cannotDelete = reasonAgainst(person, 'delete');
  useErrand('delete', cannotDelete === undefined ? () => setDeleting(true) : undefined);
  const hasBoxes = environment.services.some(({ service }) => service === 'boxes');
  return (
    <>
      <HistoryButton resource={person.id} name={person.login_name} group="Person" />
      <Button
        size={28}
        icon={Trash2}
        variant="ghost"
        disabledReason={cannotDelete}
        onPress={() => {
          setDeleting(true);
        }}
      >
        Delete
      </Button>
      {person.roles !== null && person.roles.boxes !== null && hasBoxes && (
        <LinkButton
          size={28}
          href={`${settingsHref(environment.id)}?reset=${encodeURIComponent(person.login_name)}`}
        >
          Reset second factor
        </LinkButton>
      )}
      <Button
        size={28}
        icon={KeyRound}
        disabledReason={reasonAgainst(person, 'update')}
        onPress={() => {
          setResetting(true);
        }}
      >
        Reset password
      </Button>
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
      {isDeleting && (
        <Suspense fallback={null}>
          <DeletePerson
            person={person}
            onClose={(isGone) => {
              setDeleting(false);
              if (isGone) void navigate({ href: listHref, replace: true });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function ReadPerson({ person, reason }: { person: Person; reason: string }) {
  return (
    <div className="mx-auto flex w-full max-w-300 flex-col gap-4 overflow-y-auto p-6">
      <p className="text-body text-ink-2">{reason}</p>
      <Card title="Person">
        <div className="-my-2">
          <KeyValueList
            items={[
              { label: 'Full name', value: person.full_name },
              { label: 'Login name', value: person.login_name, isMono: true },
              { label: 'E-mail', value: person.email },
              { label: 'ID', value: person.id, isMono: true, copyText: person.id },
              { label: 'State', value: person.disabled ? 'Disabled' : 'Enabled' },
              ...serviceOrder.map((service) => ({
                label: serviceLabels[service],
                value: person.roles === null ? 'Not reported' : roleWord(person.roles[service]),
              })),
            ]}
          />
        </div>
      </Card>
    </div>
  );
}
