import { fieldsOfPerson, person as personSchema, type Person } from '@gatehouse/api-types/console/people';
import { Badge } from '@gatehouse/ui/badge';
import { Button, buttonClass } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { KeyRound, Trash2, UserRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { partialUpdate } from '#components/form/partial-update.ts';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { Time } from '#components/layout/Time.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { settingsHref } from '#components/places/boxes.ts';
import { isApiError } from '#lib/api-error.ts';
import { serviceLabels } from '#lib/error-words.ts';
import { usePolling } from '#lib/polling.ts';
import { forgetPerson, personPoll, personQuery, useUpdatePerson } from '#queries/people.ts';
import { reasonAgainst } from '../may.ts';
import { personName } from '../people-columns.tsx';
import { fieldsOfForm, formOfPerson, personForm, type PersonForm } from '../person-form.ts';
import { roleWord, serviceOrder } from '../role-words.ts';

const ResetPassword = lazy(async () => ({ default: (await import('../ResetPassword.tsx')).ResetPassword }));
const DeletePerson = lazy(async () => ({ default: (await import('../DeletePerson.tsx')).DeletePerson }));
const route = getRouteApi('/$environment/people/$id/');

/** One person: edited where that is allowed, else read, with the reason. */
export function PersonPage() {
  const { id } = route.useParams();
  const environment = useEnvironment();
  const navigate = useNavigate();
  const query = useQuery(personQuery(environment.id, id));
  // The edit begins with what is loaded first; what comes later is what others did.
  const [first, setFirst] = useState<Person>();
  if (first?.id !== id && query.data !== undefined && !query.isStale) setFirst(query.data);
  const [isResetting, setResetting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const latest = query.data ?? first;
  usePageTitle(latest === undefined ? 'Person' : personName(latest));
  const params = { environment: environment.id };
  const hasBoxes = environment.services.some(({ service }) => service === 'boxes');
  const cannotEdit = latest && reasonAgainst(latest, 'update');
  return (
    <>
      <PageHeader
        icon={UserRound}
        title={latest === undefined ? id : personName(latest)}
        ancestors={[{ id: 'people', label: 'People', href: `/${environment.id}/people` }]}
        meta={latest?.disabled === true ? <Badge tone="warn">Disabled</Badge> : undefined}
        actions={
          latest && (
            <>
              <Button
                size={28}
                icon={Trash2}
                variant="ghost"
                disabledReason={reasonAgainst(latest, 'delete')}
                onPress={() => {
                  setDeleting(true);
                }}
              >
                Delete
              </Button>
              {latest.roles !== null && latest.roles.boxes !== null && hasBoxes && (
                <LinkButton
                  size={28}
                  href={`${settingsHref(environment.id)}?reset=${encodeURIComponent(latest.login_name)}`}
                >
                  Reset second factor
                </LinkButton>
              )}
              <Button
                size={28}
                icon={KeyRound}
                disabledReason={cannotEdit}
                onPress={() => {
                  setResetting(true);
                }}
              >
                Reset password
              </Button>
            </>
          )
        }
      />
      {query.isError && !latest && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
          action={
            <Link to="/$environment/people" params={params} className={buttonClass()}>
              Go to the list
            </Link>
          }
        />
      )}
      {!query.isError && !first && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the person" lines={8} />
        </div>
      )}
      {first?.id === id && latest && cannotEdit === undefined && (
        <EditPerson key={id} first={first} latest={latest} />
      )}
      {latest && cannotEdit !== undefined && <ReadPerson person={latest} reason={cannotEdit} />}
      {isResetting && latest && (
        <Suspense fallback={null}>
          <ResetPassword
            person={latest}
            onClose={() => {
              setResetting(false);
            }}
          />
        </Suspense>
      )}
      {isDeleting && latest && (
        <Suspense fallback={null}>
          <DeletePerson
            person={latest}
            onClose={(isGone) => {
              setDeleting(false);
              if (isGone) void navigate({ to: '/$environment/people', params, replace: true });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** A person as the form and the merge see them. The controller keeps no name of who changed them. */
function storedOf(person: Person) {
  return {
    record: formOfPerson(fieldsOfPerson(person)),
    revision: person.revision,
    changedBy: null,
    changedAt: person.updated_time,
  };
}

function EditPerson({ first, latest }: { first: Person; latest: Person }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id } = first;
  const update = useUpdatePerson(environment.id, id);
  const [spec] = useState(personForm);
  usePolling(personPoll(environment.id, id), 15);
  const leave = (): void =>
    void navigate({ to: '/$environment/people', params: { environment: environment.id } });
  const form = useRecordForm<PersonForm>({
    spec,
    stored: storedOf(first),
    latest: storedOf(latest),
    readRecord: (current) => formOfPerson(fieldsOfPerson(personSchema.parse(current))),
    write: async (values, stored, guard) => {
      const changes = partialUpdate(spec.policy, fieldsOfForm(stored.record), fieldsOfForm(values));
      if (Object.keys(changes).length === 0) return stored;
      const saved = await update.mutateAsync({ ...guard, changes });
      toasts.ok({ title: `${personName(saved)} saved` });
      return storedOf(saved);
    },
    onSaved: leave,
    reread: async () => {
      try {
        return storedOf(await queryClient.fetchQuery({ ...personQuery(environment.id, id), staleTime: 0 }));
      } catch (error) {
        if (isApiError(error, 'not-found')) return undefined;
        throw error;
      }
    },
  });
  const isGone = form.conflict.kind === 'deleted';
  return (
    <RecordFormView
      form={form}
      saveLabel="Save person"
      onCancel={
        isGone
          ? () => {
              form.release();
              forgetPerson(queryClient, environment.id, id);
              leave();
            }
          : leave
      }
      recreate={{
        note: 'Somebody made anew has another id and another password: create them as a new person.',
        isPending: false,
        run: () => {
          form.release();
          void navigate({ to: '/$environment/people/new', params: { environment: environment.id } });
        },
      }}
    >
      <Card title="Account">
        <div className="-my-2">
          <KeyValueList
            items={[
              { label: 'Login name', value: latest.login_name, isMono: true, copyText: latest.login_name },
              { label: 'Id', value: latest.id, isMono: true, copyText: latest.id },
              { label: 'Version', value: latest.revision },
              { label: 'Created', value: <Time value={latest.created_time} /> },
              { label: 'Updated', value: <Time value={latest.updated_time} /> },
            ]}
          />
        </div>
      </Card>
    </RecordFormView>
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
              { label: 'Id', value: person.id, isMono: true, copyText: person.id },
              { label: 'State', value: person.disabled ? 'Disabled' : 'Enabled' },
              ...serviceOrder.map((service) => ({
                label: serviceLabels[service],
                value: person.roles === null ? 'Not told' : roleWord(person.roles[service]),
              })),
            ]}
          />
        </div>
      </Card>
    </div>
  );
}
