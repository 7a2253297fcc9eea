import type { FailedSource } from '@gatehouse/api-types/console/problem';
import { ProblemError } from '#ground/problem.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';

/** The problem of a library that returned no credential: names the library, its store, the reason and the remedy. */
export async function failedSourceProblem(
  caller: AccessCaller,
  failed: FailedSource,
  cause: unknown,
): Promise<ProblemError> {
  const { environment, service } = caller.transport;
  // A library or store that the caller can't see is named by its ID.
  const [library, store] = await Promise.all([
    credentialLibraries.get(caller, failed.library_id).catch(() => undefined),
    credentialStores.get(caller, failed.credential_store_id).catch(() => undefined),
  ]);
  const name = `The library ${library?.name || failed.library_id} of the store ${store?.name || failed.credential_store_id}`;
  const server = `the store's secrets server${store?.attributes === undefined ? '' : ` (${store.attributes.address})`}`;
  const path = library?.attributes.path ?? "the library's path";
  return new ProblemError(
    'invalid-request',
    `${name} returned no credential: ${sentence(failed.reason, server, path)} No session was authorized.`,
    { service, environment, failedSource: failed, cause },
  );
}

function sentence(reason: string, server: string, path: string): string {
  switch (reason) {
    case 'unreachable':
      return `${server} can't be reached. Check that the server is running and that the store's address is right.`;
    case 'timeout':
      return `${server} didn't respond in time. Try again, or check the store's address.`;
    case 'untrusted':
      return `the access controller doesn't trust the certificate of ${server}. Add the server's CA certificate to the store.`;
    case 'sealed':
      return `${server} is sealed. An administrator has to unseal it.`;
    case 'forbidden':
      return `the policies of the store's token don't allow ${path}. Allow it in one of these policies, or replace the token.`;
    case 'not-found':
      return `${server} has nothing at ${path}. Correct the library's path, or create the secret.`;
    case 'not-mappable':
      return `the secret at ${path} lacks a field that the credential needs. Correct the secret, or the library's mapping.`;
    case 'token-expired':
      return "the store's token has expired. Replace the token.";
    case 'token-revoked':
      return "the store's token was revoked. Replace the token.";
    case 'rate-limited':
      return `${server} is receiving too many requests. Try again in a moment.`;
    case 'refused':
      return `${server} refused the request as invalid. Check the library's path, method and body.`;
    default:
      return `${server} sent an unexpected response. Check the store's address.`;
  }
}
