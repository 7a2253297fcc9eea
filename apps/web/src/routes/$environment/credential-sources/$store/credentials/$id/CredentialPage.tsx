import type { Credential } from '@gatehouse/api-types/console/credential-sources';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { lazy } from '@gatehouse/ui/lazy';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { credentialHref, storeHref } from '#components/places/credential-sources.ts';
import { DetailCard, DetailCards, IdentityCard } from '#components/record/DetailCard.tsx';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { typeLabel } from '#components/source/credential-types.ts';
import { UsedByCard } from '#components/source/UsedByCard.tsx';
import { queryClient } from '#lib/query-client.ts';
import { credentials, credentialStores } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { credentialKinds } from '#queries/target-sources.ts';
import { shownCredentials } from '#routes/$environment/credential-sources/kinds.ts';
import { useStoreCrumbs } from '#routes/$environment/credential-sources/use-store.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/$id/')({
  loader: ({ params: { environment, store, id } }) => {
    void queryClient.prefetchQuery(recordQuery(credentialStores, environment, store));
    void queryClient.prefetchQuery(recordQuery(credentials, environment, id));
  },
  component: CredentialPage,
});

const DeleteCredential = lazy(async () => ({
  default: (await import('./DeleteCredential.tsx')).DeleteCredential,
}));
const route = getRouteApi('/$environment/credential-sources/$store/credentials/$id/');

/** One credential, without its secrets, and the targets that use it. */
function CredentialPage() {
  const { store, id } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  const here = credentialHref(environment.id, store, id);
  return (
    <RecordDetail
      kind={shownCredentials}
      id={id}
      ancestors={ancestors}
      listHref={storeHref(environment.id, store)}
      editHref={`${here}/edit`}
      Deletion={DeleteCredential}
    >
      {(credential) => (
        <DetailCards>
          <div className="flex flex-col gap-4">
            <DetailCard title={typeLabel(credential.type)} items={attributeItems(credential)} />
            <UsedByCard
              scope={credential.scope.id}
              ids={[credential.id]}
              kinds={credentialKinds}
              retireHref={`${here}/retire`}
            />
          </div>
          <IdentityCard item={credential} />
        </DetailCards>
      )}
    </RecordDetail>
  );
}

const secrets = [
  ['password_hmac', 'Password'],
  ['private_key_hmac', 'Private key'],
  ['private_key_passphrase_hmac', 'Passphrase'],
  ['object_hmac', 'Object'],
] as const;

function attributeItems({ attributes }: Credential): readonly KeyValue[] {
  const plain = [
    ['User name', attributes.username],
    ['Domain', attributes.domain],
  ] as const;
  return [
    ...plain
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => ({
        label,
        value,
        isMono: true,
        ...(value !== undefined && value !== '' && { copyText: value }),
      })),
    ...secrets
      .filter(([name]) => attributes[name] !== undefined && attributes[name] !== '')
      .map(([, label]) => ({
        label,
        value: "Stored encrypted. It can't be shown, only replaced.",
      })),
  ];
}
