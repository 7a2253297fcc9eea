import { pathProblem } from '@gatehouse/api-types/console/path-problem';
import { toldVersion } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { Banner } from '@gatehouse/ui/banner';
import { SecretIcon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AsCode } from '#components/form/AsCode.tsx';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { newSecretSearch } from '#components/places/secret-search.ts';
import { crumbsOf, folderHref, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { WithRight } from '#components/record/WithRight.tsx';
import { useSettled } from '#lib/use-settled.ts';
import {
  capabilitiesQuery,
  readValues,
  type SecretPlace,
  secretQuery,
  useCreateSecret,
  useWriteSecret,
} from '#queries/secrets.ts';
import { secretAsCode, secretNote } from '#routes/$environment/secrets/-editing/secret-as-code.ts';
import { SecretEditingContext } from '#routes/$environment/secrets/-editing/secret-editing.ts';
import { newSecretForm, type NewSecretValues } from '#routes/$environment/secrets/-editing/secret-form.ts';
import { wholeText } from '#routes/$environment/secrets/-editing/secret-write.ts';
import {
  guardedForm,
  othersRoundOf,
  useSecretEditing,
} from '#routes/$environment/secrets/-editing/use-secret-editing.ts';
import {
  dataOfValues,
  unseenValues,
  valuesOfData,
} from '#routes/$environment/secrets/-fields/secret-values.ts';
import { reasonAgainstCreating } from '#routes/$environment/secrets/may.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/new/$/')({
  validateSearch: newSecretSearch.parse,
  component: NewSecretPage,
});

const route = getRouteApi('/$environment/secrets/$mount/new/$/');

/** Creates a secret in the folder in the address. */
function NewSecretPage() {
  const folder = useSecretPlace();
  const may = useQuery(capabilitiesQuery(folder));
  const ancestors = [
    ...crumbsOf(folder),
    {
      id: 'folder',
      label: folder.path === '' ? folder.mount : nameOf(folder.path),
      href: folderHref(folder),
    },
  ];
  return (
    <WithRight
      icon={SecretIcon}
      title="New secret"
      many="secrets here"
      ancestors={ancestors}
      listHref={folderHref(folder)}
      queries={[may]}
      reason={reasonAgainstCreating(may.data)}
    >
      {() => (
        <>
          <PageHeader icon={SecretIcon} title="New secret" ancestors={ancestors} />
          <NewSecretForm key={fullName(folder)} folder={folder} />
        </>
      )}
    </WithRight>
  );
}

function NewSecretForm({ folder }: { folder: SecretPlace }) {
  const { name = '' } = route.useSearch();
  const navigate = useNavigate();
  const create = useCreateSecret();
  const editing = useSecretEditing();
  const [spec] = useState(() => newSecretForm(folder.path, folder.mount));
  const placeOf = (path: string): SecretPlace => ({
    ...folder,
    path: folder.path === '' ? path : `${folder.path}/${path}`,
  });
  const [saved, setSaved] = useState(folder);
  const form = useRecordForm<NewSecretValues>({
    spec,
    stored: { record: { path: name, data: {} }, revision: null },
    readRecord: async (current): Promise<NewSecretValues> => {
      const { path, revision, structure } = toldVersion.parse(current);
      // An existing secret is compared by field names. Once you save over it, newer versions are merged, so their
      // values are read.
      const there =
        form.stored.revision === null
          ? unseenValues(structure)
          : valuesOfData((await readValues({ ...folder, path }, Number(revision))).data);
      return { path: folder.path === '' ? path : path.slice(folder.path.length + 1), ...there };
    },
    // The existing values weren't read, so yours replace all of them.
    overwritten: ({ path }) => ({ path, data: {} }),
    write: async (values, stored, guard) => {
      const place = placeOf(values.path);
      const data = wholeText(values, editing.exactText.current);
      const made =
        stored.revision === null || values.path !== stored.record.path
          ? await create.mutateAsync({ place, data })
          : await update.mutateAsync({ mode: 'whole', ...guard, data });
      toasts.ok({ title: `${fullName(place)} saved`, detail: `This is version ${made.revision}.` });
      setSaved(place);
      return { record: values, revision: made.revision };
    },
    onSaved: () => void navigate({ href: secretHref(placeOf(form.methods.getValues('path'))) }),
  });
  const place = placeOf(form.values.path);
  const update = useWriteSecret(placeOf(form.stored.record.path));
  const existing = useExisting(place, form.values.path !== '' && pathProblem(place.path) === undefined);
  const settleCreated = (choice: 'theirs' | 'mine'): void => {
    if (choice === 'mine') {
      form.settleCreated('mine');
      return;
    }
    form.release();
    void navigate({ href: secretHref(place) });
  };
  const isThere =
    existing && form.conflict.kind === 'none' && form.stored.revision === null && saved === folder;
  return (
    <SecretEditingContext value={{ ...editing, read: undefined, othersRound: othersRoundOf(form) }}>
      <RecordFormView
        form={{ ...guardedForm(form, editing), settleCreated }}
        createdNote="The existing values weren't read. Fields with the same name may have the same value."
        saveLabel="Create secret"
        onCancel={() => void navigate({ href: folderHref(folder) })}
        copyText={() => dataOfValues(form.values, true)}
      >
        <div className="flex flex-col gap-6">
          {isThere && (
            <Banner
              tone="warn"
              title="A secret already exists at this path"
              actions={
                <LinkButton href={secretHref(place)} size={28}>
                  Open the secret
                </LinkButton>
              }
            >
              Saving won't overwrite the existing secret without asking you.
            </Banner>
          )}
          <AsCode
            code={secretAsCode({
              place: form.values.path === '' ? { ...place, path: `${place.path}NAME` } : place,
              mode: 'whole',
              cas: form.stored.revision ?? '0',
              before: form.stored.record,
              after: form.values,
            })}
            note={secretNote}
          />
        </div>
      </RecordFormView>
    </SecretEditingContext>
  );
}

/** How long the path must stay unchanged before it is looked up, in ms. */
const typingMs = 400;

/** Whether a secret exists at a path, looked up when you stop typing. */
function useExisting(place: SecretPlace, isEnabled: boolean): boolean {
  const settled = useSettled(place.path, typingMs);
  const query = useQuery({
    ...secretQuery(place),
    enabled: isEnabled && settled === place.path,
    retry: false,
  });
  return query.data !== undefined && !['0', unknownRevision].includes(query.data.revision);
}
