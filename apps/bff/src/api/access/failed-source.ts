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
    `${name} returned no credential: ${sentence(failed.reason, server, path)} No session was authorized.`,
    { service, environment, failedSource: failed, cause },
  );
}

function sentence(reason: string, server: string, path: string): string {
  switch (reason) {
    case 'unreachable':
      return `${server} can't be reached. Check that it is running, and the store's address.`;
    case 'timeout':
      return `${server} didn't respond in time. Try again, or check the store's address.`;
    case 'untrusted':
      return `the certificate of ${server} is not trusted. Add its CA certificate to the store.`;
    case 'sealed':
      return `${server} is sealed. Its operator has to unseal it.`;
    case 'forbidden':
      return `the policies of the store's token don't allow ${path}. Extend a policy, or replace the store's token.`;
    case 'not-found':
      return `${server} has nothing at ${path}. Correct the library's path, or create the secret.`;
    case 'not-mappable':
      return `the secret at ${path} lacks a field that the credential needs. Correct the secret, or the library's mapping.`;
    case 'token-expired':
      return "the store's token has expired. Replace it.";
    case 'token-revoked':
      return "the store's token was revoked. Replace it.";
    case 'rate-limited':
      return `${server} receives too many requests. Try again in a moment.`;
    case 'refused':
      return `${server} refused the request as invalid. Check the library's path, method and body.`;
    default:
      return `${server} sent an unexpected response. Check the store's address.`;
  }
}
