import type { Credential } from '@gatehouse/api-types/console/credential-sources';
import { shellWord } from '#components/form/as-code.ts';
import { credentialHref } from '#components/places/credential-sources.ts';
import { DetailCard, recordItems } from '#components/record/DetailCard.tsx';
import { updatedColumn } from '#components/record/placed-columns.tsx';
import { nameOrId } from '#components/record/record-kind.ts';
import { typeLabel } from '#components/source/credential-types.ts';
import { credentials } from '#queries/credential-sources.ts';
import { StoreFrame, type HeldInStore } from './StoreFrame.tsx';

const held: HeldInStore<Credential> = {
  calls: credentials,
  collection: 'credentials',
  segment: 'credentials',
  label: 'Credentials',
  noun: { one: 'credential', many: 'credentials' },
  columns: [
    { id: 'name', header: 'Name', value: nameOrId, width: 220, isRowHeader: true, sortable: true },
    { id: 'type', header: 'Type', value: ({ type }) => typeLabel(type), width: 180, sortable: true },
    {
      id: 'username',
      header: 'User name',
      value: ({ attributes }) => attributes.username,
      width: 160,
      isMono: true,
      sortable: true,
    },
    { id: 'id', header: 'ID', value: ({ id }) => id, width: 172, isMono: true, sortable: true },
    {
      id: 'description',
      header: 'Description',
      value: ({ description }) => description,
      width: 280,
      sortable: true,
    },
    updatedColumn<Credential>(),
  ],
  hrefOf: credentialHref,
  purpose:
    'A credential is given to users who open a session, or injected into the session without being shown.',
  commandOf: (store) =>
    `boundary credentials create username-password -credential-store-id ${shellWord(store)} -username app -password env://PASSWORD`,
};

/** A static credential store: its credentials and its fields. */
export function StaticStore() {
  return (
    <StoreFrame
      held={held}
      details={(store, usedBy) => (
        <>
          <DetailCard title="Identity" items={recordItems(store)} />
          {usedBy}
        </>
      )}
    />
  );
}
