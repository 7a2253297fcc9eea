import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { sourceImpacts } from '#components/source/source-impacts.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { credentials } from '#queries/credential-sources.ts';
import { recordListQuery } from '#queries/records.ts';
import { credentialKinds, targetsUsingQuery } from '#queries/target-sources.ts';
import { storeKind } from '../store-kind.ts';

/** Asks before deleting a store with everything in it. */
export function DeleteStore({
  item,
  onClose,
}: {
  item: CredentialStore;
  onClose: (isGone: boolean) => void;
}) {
  const environment = useEnvironment();
  const isVault = item.type === 'vault';
  const stored = useQuery({ ...recordListQuery(credentials, environment.id, item.id), enabled: !isVault });
  const issuing = useQuery({
    ...recordListQuery(credentialLibraries, environment.id, item.id),
    enabled: isVault,
  });
  const list = isVault ? issuing : stored;
  const [one, many] = isVault ? ['library', 'libraries'] : ['credential', 'credentials'];
  const ids = list.data?.map(({ id }) => id) ?? [];
  const using = useQuery({
    ...targetsUsingQuery(environment.id, item.scope_id, credentialKinds, ids),
    enabled: list.data !== undefined,
  });
  const impacts =
    using.data && list.data
      ? [
          ...sourceImpacts(using.data, ids, credentialKinds),
          {
            kind: 'worth-knowing' as const,
            text: `Deleted with it: ${list.data.length.toLocaleString('en')} ${list.data.length === 1 ? one : many}.${isVault ? ' Its token is revoked on the secrets server.' : ''}`,
          },
        ]
      : undefined;
  return <DeleteRecord kind={storeKind} address={item.id} item={item} impacts={impacts} onClose={onClose} />;
}
