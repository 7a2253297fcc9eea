import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { type Box, box as boxSchema, type BoxChanges, fieldsOfBox } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { boxesHref, boxHref, ownerHref } from '#components/places/boxes.ts';
import { NewRecordForm } from '#components/record/NewRecordForm.tsx';
import { Waiting } from '#components/record/Waiting.tsx';
import { queryClient } from '#lib/query-client.ts';
import { searchOf, words } from '#lib/search.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import type { BoxAddress } from '#queries/boxes.ts';
import { useUpdateRecord } from '#queries/record-life.ts';
import { newBoxAsCode, newInRegistry } from '../-editing/box-as-code.ts';
import { type NewBoxFields, newBoxForm } from '../-editing/box-forms.ts';
import { boxKind } from '../-editing/box-kinds.tsx';
import { Preview } from '../-editing/Preview.tsx';
import { MayNot } from '../BoxFrame.tsx';
import { reasonAgainstAnyPublishing } from '../may.ts';

export const Route = createFileRoute('/$environment/boxes/new/')({
  validateSearch: searchOf({ owner: words }).parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: NewBoxPage,
});

const route = getRouteApi('/$environment/boxes/new/');

/** Creates a box without versions; the publishing wizard can create all of it. */
function NewBoxPage() {
  usePageTitle('New box');
  const environment = useEnvironment();
  const account = useQuery(boxAccountQuery(environment.id));
  const cannotPublish = account.data && reasonAgainstAnyPublishing(account.data);
  return (
    <>
      <PageHeader
        icon={Plus}
        title="New box"
        ancestors={[{ id: 'boxes', label: 'Boxes', href: boxesHref(environment.id) }]}
      />
      {account.data !== undefined ? (
        cannotPublish === undefined ? (
          <NewBox account={account.data} />
        ) : (
          <MayNot reason={cannotPublish} href={boxesHref(environment.id)} label="Go to boxes" />
        )
      ) : (
        <Waiting query={account} label="Loading your owners" />
      )}
    </>
  );
}

function NewBox({ account }: { account: BoxAccount }) {
  const environment = useEnvironment();
  const { owner } = route.useSearch();
  const update = useUpdateRecord<Box, BoxChanges, BoxAddress>(boxKind.calls, environment.id);
  const [spec] = useState(() =>
    newBoxForm(
      account.namespaces_complete
        ? account.namespaces.map(({ username, kind }) => ({
            value: username,
            label: username,
            description: kind === 'person' ? 'You' : 'Organization',
          }))
        : null,
    ),
  );
  const blank: NewBoxFields = {
    username: owner ?? account.namespaces[0]?.username ?? account.username,
    name: '',
    short_description: '',
    description: '',
    // Private by default: you can make it public later, but what was public may have been seen.
    is_private: true,
  };
  return (
    <NewRecordForm
      kind={boxKind}
      blank={blank}
      formOf={() => spec}
      bodyOf={({ username, ...fields }) => ({ username, fields })}
      taken={{
        schema: boxSchema,
        valuesOf: (box) => ({ ...fieldsOfBox(box), username: box.username }),
        replace: (guard, { username, ...changes }) =>
          update.mutateAsync({ address: { username, name: changes.name }, guard, changes }),
      }}
      hrefOf={({ username, name }) => boxHref({ environment: environment.id, username, name })}
      asideOf={({ description }, code) => (
        <>
          {code}
          <Preview text={description} />
        </>
      )}
      cancelHref={owner === undefined ? boxesHref(environment.id) : ownerHref(environment.id, owner)}
      codeOf={({ username, ...fields }) => newInRegistry(newBoxAsCode(username, fields))}
    />
  );
}
