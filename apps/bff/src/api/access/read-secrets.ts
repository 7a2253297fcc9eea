/**
 * Which secrets and cloud roles of the environment's own secrets server credential libraries read. This is the only
 * module that connects the two services.
 */
import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import type { CloudRoleReference, SecretReference } from '@gatehouse/api-types/console/targets';
import { trimEndSlashes, trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { Config } from '#config/config.ts';

/** Whether a credential store uses the secrets server of its environment. */
export type IsOwnServer = (store: Pick<CredentialStore, 'attributes'>) => boolean;

/** Recognizes stores that use the environment's secrets server; undefined if the environment has none. */
export function ownSecretsServer(config: Config, environment: string): IsOwnServer | undefined {
  const server = config.environments.find(({ id }) => id === environment)?.services.secrets;
  if (server === undefined) return undefined;
  const { endpoint, clientUrl } = server;
  const urls = [endpoint.kind === 'url' ? endpoint.url : undefined, clientUrl].filter(
    (url) => url !== undefined,
  );
  const addresses = new Set(urls.map(addressOf));
  const namespace = trimSlashes(server.namespace ?? '');
  return ({ attributes }) => {
    const url = URL.parse(attributes?.address ?? '');
    return (
      url !== null && addresses.has(addressOf(url)) && trimSlashes(attributes?.namespace ?? '') === namespace
    );
  };
}

/** All names of this machine count as one address. */
function addressOf(url: URL): string {
  const host = /^(?:localhost|\[::1\])$/.test(url.hostname) ? '127.0.0.1' : url.hostname;
  return `${url.protocol}//${host}:${url.port}${trimEndSlashes(url.pathname)}`;
}

/** The secret that a library reads, by its path: a versioned key-value engine's paths name the secret after `data`. */
export function secretOf({ attributes }: Pick<CredentialLibrary, 'attributes'>): SecretReference | undefined {
  const names = attributes.path.split('/').filter((name) => name !== '');
  const data = names.indexOf('data', 1);
  if (attributes.http_method !== 'GET' || data === -1 || data === names.length - 1) return undefined;
  return { mount: names.slice(0, data).join('/'), path: names.slice(data + 1).join('/') };
}

/** The path of a library that reads a secret. */
export function pathOfSecret({ mount, path }: SecretReference): string {
  return `${mount}/data/${path}`;
}

/** The cloud role that a library's path names. Other engines also issue credentials at `creds`. */
export function cloudRoleOf({
  attributes,
}: Pick<CredentialLibrary, 'attributes'>): CloudRoleReference | undefined {
  const names = attributes.path.split('/').filter((name) => name !== '');
  const role = names.pop();
  const from = names.pop();
  if (role === undefined || names.length === 0 || (from !== 'creds' && from !== 'sts')) return undefined;
  return { mount: names.join('/'), role };
}

/** The paths of libraries that read a role's credentials. */
export function pathsOfRole({ mount, role }: CloudRoleReference): readonly string[] {
  return [`${mount}/creds/${role}`, `${mount}/sts/${role}`];
}
