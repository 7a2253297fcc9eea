import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { sourceImpacts } from '#components/source/source-impacts.ts';
import { credentialKinds, targetsUsingQuery } from '#queries/target-sources.ts';
import { libraryKind } from '#routes/$environment/credential-sources/library-kind.ts';

/** Asks before deleting a library, and names the targets that use it. */
export function DeleteLibrary({
  item,
  onClose,
}: {
  item: CredentialLibrary;
  onClose: (isGone: boolean) => void;
}) {
  const environment = useEnvironment();
  const using = useQuery(targetsUsingQuery(environment.id, item.scope.id, credentialKinds, [item.id]));
  const impacts = using.data && sourceImpacts(using.data, [item.id], credentialKinds);
  return (
    <DeleteRecord kind={libraryKind} address={item.id} item={item} impacts={impacts} onClose={onClose} />
  );
}
