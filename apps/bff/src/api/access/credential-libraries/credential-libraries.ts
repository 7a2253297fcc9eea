import { resource, type Operation } from '#operation/operation.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { inAccess, accessCaller } from '../caller.ts';
import { collectionOperations } from '../records.ts';
import { secretLinks } from '../secret-links.ts';

const getCredentialLibrary: Operation<'credentialLibraries.get'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const library = await credentialLibraries.get(caller, call.params.id);
  return { ...library, ...(await secretLinks(context, call, caller)?.(library)) };
};

export const credentialLibraryOperations = resource(inAccess, {
  ...collectionOperations('credentialLibraries', credentialLibraries),
  'credentialLibraries.get': getCredentialLibrary,
});
