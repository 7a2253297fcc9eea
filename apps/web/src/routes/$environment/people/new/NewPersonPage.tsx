import { fieldsOfPerson, person as personSchema } from '@gatehouse/api-types/console/people';
import { Button, buttonClass } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { ErrorState } from '@gatehouse/ui/error-state';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Lock, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { scopesQuery } from '#queries/access.ts';
import { useCreatePerson } from '#queries/people.ts';
import { reasonAgainstCreating } from '../may.ts';
import { newPassword } from '../new-password.ts';
import { PasswordOnce } from '../PasswordOnce.tsx';
import {
  blankPerson,
  fieldsOfForm,
  formOfPerson,
  newPersonForm,
  type NewPersonForm,
} from '../person-form.ts';

export function NewPersonPage() {
  usePageTitle('New person');
  const environment = useEnvironment();
  const scopes = useQuery(scopesQuery(environment.id));
  const cannotCreate = reasonAgainstCreating(scopes.data);
  return (
    <>
      <PageHeader
        icon={UserPlus}
        title="New person"
        ancestors={[{ id: 'people', label: 'People', href: `/${environment.id}/people` }]}
      />
      {scopes.isError && !scopes.data ? (
        <Failure error={scopes.error} onRetry={() => void scopes.refetch()} />
      ) : scopes.data === undefined ? (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading what the form needs" lines={8} />
        </div>
      ) : cannotCreate !== undefined ? (
        <ErrorState
          icon={Lock}
          title="You cannot create people"
          why={cannotCreate}
          action={
            <Link
              to="/$environment/people"
              params={{ environment: environment.id }}
              className={buttonClass()}
            >
              Go to the list
            </Link>
          }
        />
      ) : (
        <NewPerson />
      )}
    </>
  );
}

function NewPerson() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const create = useCreatePerson(environment.id);
  const params = { environment: environment.id };
  const [spec] = useState(newPersonForm);
  const [password] = useState(newPassword);
  const [made, setMade] = useState<string>();
  const leave = (): void =>
    void navigate({ to: '/$environment/people', params, replace: made !== undefined });
  const form = useRecordForm<NewPersonForm>({
    spec,
    stored: { record: blankPerson, revision: null },
    readRecord: (current) => {
      const stored = personSchema.parse(current);
      return { ...formOfPerson(fieldsOfPerson(stored)), login_name: stored.login_name };
    },
    write: async (values, stored) => {
      const { full_name, email, roles } = fieldsOfForm(values);
      const person = await create.mutateAsync({
        login_name: values.login_name,
        password,
        ...(full_name !== '' && { full_name }),
        ...(email !== '' && { email }),
        roles,
      });
      setMade(person.login_name);
      return { ...stored, record: values };
    },
    onSaved: () => undefined,
  });
  return (
    <>
      <RecordFormView form={form} saveLabel="Create person" onCancel={leave}>
        <p className="text-body text-ink-2">
          A password is made for them and shown once, after they are created, for you to hand over.
        </p>
      </RecordFormView>
      {made !== undefined && (
        <Dialog
          isOpen
          onOpenChange={leave}
          title={`${made} is created`}
          footer={
            <Button variant="primary" onPress={leave}>
              Done
            </Button>
          }
        >
          <PasswordOnce loginName={made} password={password} />
        </Dialog>
      )}
    </>
  );
}
