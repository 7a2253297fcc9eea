import { resource, type Operation } from '#operation/operation.ts';
import { inAccess, accessCaller } from '#shared/access/caller.ts';
import { collectionOperations } from '#shared/access/records.ts';
import { secretLinks } from '#shared/access/secret-links.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';

const getCredentialLibrary: Operation<'credentialLibraries.get'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const library = await credentialLibraries.get(caller, call.params.id);
  return { ...library, ...(await secretLinks(context, call, caller)?.(library)) };
};

export const credentialLibraryOperations = resource(inAccess, {
  ...collectionOperations('credentialLibraries', credentialLibraries),
  'credentialLibraries.get': getCredentialLibrary,
});
