import type { FailedSource } from '@gatehouse/api-types/console/problem';
import { ProblemError } from '#ground/problem.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';

/** Says which library of which store gave no credential, why, and what to do. */
export async function failedSourceProblem(
  caller: AccessCaller,
  failed: FailedSource,
  cause: unknown,
): Promise<ProblemError> {
  const { environment, service } = caller.transport;
  // What is not shown to the caller is told by its id.
  const [library, store] = await Promise.all([
    credentialLibraries.get(caller, failed.library_id).catch(() => undefined),
    credentialStores.get(caller, failed.credential_store_id).catch(() => undefined),
  ]);
  const name = `The library ${library?.name || failed.library_id} of the store ${store?.name || failed.credential_store_id}`;
  const server = `its secrets server${store?.attributes === undefined ? '' : ` (${store.attributes.address})`}`;
  const path = library?.attributes.path ?? 'its path';
  return new ProblemError(
    'invalid-request',
    `${name} gave no credential: ${sentence(failed.reason, server, path)} No session was authorized.`,
    { service, environment, failedSource: failed, cause },
  );
}

function sentence(reason: string, server: string, path: string): string {
  switch (reason) {
    case 'unreachable':
      return `${server} cannot be reached. Check that it runs, and the address of the store.`;
    case 'timeout':
      return `${server} did not answer in time. Try again, or check the address of the store.`;
    case 'untrusted':
      return `the certificate of ${server} is not trusted. Give the store its CA certificate.`;
    case 'sealed':
      return `${server} is sealed. It has to be unsealed by whoever runs it.`;
    case 'forbidden':
      return `the policies of the store's token do not allow ${path}. Extend a policy, or give the store another token.`;
    case 'not-found':
      return `${server} has nothing at ${path}. Correct the path of the library, or create the secret.`;
    case 'not-mappable':
      return `what is at ${path} lacks a field that the credential needs. Correct the secret, or the mapping of the library.`;
    case 'token-expired':
      return 'the token of the store has expired. Give the store a new one.';
    case 'token-revoked':
      return 'the token of the store was revoked. Give the store a new one.';
    case 'rate-limited':
      return `${server} receives too many requests. Try again in a moment.`;
    case 'refused':
      return `${server} refused the request as not valid. Check the path, the method and the body of the library.`;
    default:
      return `${server} answered something that is not of its form. Check the address of the store.`;
  }
}
