import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { Button } from '@gatehouse/ui/button';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { LinkButton } from '@gatehouse/ui/link';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { shellWord } from '#components/form/as-code.ts';
import { libraryHref, storeHref } from '#components/places/credential-sources.ts';
import { DetailCard, recordItems } from '#components/record/DetailCard.tsx';
import { updatedColumn } from '#components/record/placed-columns.tsx';
import { nameOrId, reasonAgainst } from '#components/record/record-kind.ts';
import { typeLabel } from '#components/source/credential-types.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { TokenBadge } from '../TokenBadge.tsx';
import { isTokenDead, TokenBanner } from '../TokenBanner.tsx';
import { StoreFrame, type HeldInStore } from './StoreFrame.tsx';

const held: HeldInStore<CredentialLibrary> = {
  calls: credentialLibraries,
  collection: 'credential-libraries',
  segment: 'libraries',
  label: 'Credential libraries',
  noun: { one: 'library', many: 'libraries' },
  columns: [
    { id: 'name', header: 'Name', value: nameOrId, width: 200, isRowHeader: true, sortable: true },
    {
      id: 'path',
      header: 'Path',
      value: ({ attributes }) => attributes.path,
      width: 280,
      isMono: true,
      sortable: true,
    },
    {
      id: 'credential_type',
      header: 'Credential type',
      value: ({ credential_type }) => typeLabel(credential_type),
      width: 180,
      sortable: true,
    },
    { id: 'id', header: 'ID', value: ({ id }) => id, width: 148, isMono: true, sortable: true },
    {
      id: 'description',
      header: 'Description',
      value: ({ description }) => description,
      width: 220,
      sortable: true,
    },
    updatedColumn<CredentialLibrary>(),
  ],
  hrefOf: libraryHref,
  purpose:
    'A library requests credentials from a path on the secrets server whenever a session on a target that uses it is authorized.',
  commandOf: (store) =>
    `boundary credential-libraries create vault-generic -credential-store-id ${shellWord(store)} -vault-path secret/data/databases/orders -credential-type username_password`,
};

/** A credential store of type Vault: its libraries, secrets server and token status. */
export function VaultStore() {
  return (
    <StoreFrame
      held={held}
      actions={(store) => <RotateButton store={store} />}
      notice={(store) =>
        store.attributes && (
          <div className="empty:hidden p-4">
            <TokenBanner
              store={store.id}
              attributes={store.attributes}
              cannotRotate={reasonAgainst(store, 'update', 'credential store')}
            />
          </div>
        )
      }
      details={(store, usedBy) => (
        <>
          <div className="flex flex-col gap-4">
            <DetailCard title="Secrets server" items={serverItems(store)} />
            {usedBy}
          </div>
          <DetailCard title="Identity" items={recordItems(store)} />
        </>
      )}
    />
  );
}

function serverItems({ attributes }: CredentialStore): readonly KeyValue[] {
  if (attributes === undefined) return [];
  const stored = "Stored encrypted. It can't be shown, only replaced.";
  const optional = (label: string, value: string): readonly KeyValue[] =>
    value === '' ? [] : [{ label, value, isMono: true, copyText: value }];
  return [
    { label: 'Address', value: attributes.address, isMono: true, copyText: attributes.address },
    ...optional('Namespace', attributes.namespace),
    {
      label: 'Token',
      value: (
        <span className="flex flex-wrap items-center gap-2">
          <TokenBadge attributes={attributes} /> {stored}
        </span>
      ),
    },
    ...(attributes.token_expiration_time === '' || isTokenDead(attributes)
      ? []
      : [
          {
            label: 'Token expires',
            value: (
              <>
                <Time value={attributes.token_expiration_time} /> (
                <Time value={attributes.token_expiration_time} isRelative />
                ), unless it is renewed
              </>
            ),
          },
        ]),
    ...optional('CA certificate', attributes.ca_cert),
    ...optional('TLS server name', attributes.tls_server_name),
    ...optional('Client certificate', attributes.client_certificate),
    ...(attributes.client_certificate_key_hmac === ''
      ? []
      : [{ label: 'Client certificate key', value: stored }]),
    ...(attributes.tls_skip_verify ? [{ label: 'Certificates', value: 'Any accepted' }] : []),
  ];
}

function RotateButton({ store }: { store: CredentialStore }) {
  const environment = useEnvironment();
  const reason = reasonAgainst(store, 'update', 'credential store');
  return reason === undefined ? (
    <LinkButton href={`${storeHref(environment.id, store.id)}/token`} size={28}>
      Rotate token
    </LinkButton>
  ) : (
    <Button size={28} disabledReason={reason}>
      Rotate token
    </Button>
  );
}
