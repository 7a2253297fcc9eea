import type { Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { secretLinks } from '#shared/access/secret-links.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';

export const getCredentialLibrary: Operation<'credentialLibraries.get'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const library = await credentialLibraries.get(caller, call.params.id);
  return { ...library, ...(await secretLinks(context, call, caller)?.(library)) };
};
