import * as at from '@gatehouse/api-types/console/addresses/boxes';
import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { box as boxSchema, fieldsOfBox } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { boxesHref, boxHref, ownerHref } from '#components/places/boxes.ts';
import { call } from '#lib/api.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { useCreateBox } from '#queries/box-changes.ts';
import { keepBox } from '#queries/boxes.ts';
import { newBoxAsCode } from '../-editing/box-as-code.ts';
import { newBoxForm, type NewBoxFields } from '../-editing/box-forms.ts';
import { NewStored } from '../-editing/NewStored.tsx';
import { Loading, MayNot } from '../BoxFrame.tsx';
import { reasonAgainstAnyPublishing } from '../may.ts';

const route = getRouteApi('/$environment/boxes/new/');

/** The page that creates a box without versions; the wizard does the rest too. */
export function NewBoxPage() {
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
          <MayNot reason={cannotPublish} href={boxesHref(environment.id)} label="Go to the boxes" />
        )
      ) : account.isError ? (
        <Failure error={account.error} onRetry={() => void account.refetch()} />
      ) : (
        <Loading label="Loading where you may publish" />
      )}
    </>
  );
}

function NewBox({ account }: { account: BoxAccount }) {
  const environment = useEnvironment();
  const { owner } = route.useSearch();
  const queryClient = useQueryClient();
  const create = useCreateBox(environment.id);
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
    // What is private can be opened later; what was public was seen.
    is_private: true,
  };
  return (
    <NewStored
      spec={spec}
      blank={blank}
      schema={boxSchema}
      valuesOf={(box) => ({ ...fieldsOfBox(box), username: box.username })}
      nameOf={({ tag }) => tag}
      create={({ username, ...fields }) => create.mutateAsync({ username, fields })}
      replace={async (guard, { username, ...fields }) => {
        const params = { environment: environment.id, username, name: fields.name };
        const saved = await call(at.boxes.update, { params, ...guard, body: fields });
        keepBox(queryClient, environment.id, saved);
        return saved;
      }}
      hrefOf={({ username, name }) => boxHref({ environment: environment.id, username, name })}
      markdownOf={({ description }) => description}
      cancelHref={owner === undefined ? boxesHref(environment.id) : ownerHref(environment.id, owner)}
      codeOf={({ username, ...fields }) => newBoxAsCode(username, fields)}
    />
  );
}
