import type { Operation } from '../../http/operation.ts';
import { credentialLibraries } from '../../upstreams/access-controller/credential-libraries.ts';
import { accessCaller } from './caller.ts';
import { secretLinks } from './secret-links.ts';

export const getCredentialLibrary: Operation<'getCredentialLibrary'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const library = await credentialLibraries.get(caller, call.params.id);
  const secret = await secretLinks(context, caller)?.(library);
  return { ...library, ...(secret !== undefined && { secret }) };
};
