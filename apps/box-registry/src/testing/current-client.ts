import { randomUUID } from 'node:crypto';
import { clientOf } from '@gatehouse/service-kit/testing/client';
import type { Wire, WireAnswer } from '@gatehouse/service-kit/testing/client';

interface BoxName {
  readonly username: string;
  readonly name: string;
}
interface VersionName extends BoxName {
  readonly version: string;
}
/** Without an architecture the client uses version 1 of the API. */
interface ProviderName extends VersionName {
  readonly provider: string;
  readonly architecture?: string;
}

/**
 * All calls of the current client, with its URLs, headers and bodies. Missing arguments aren't sent; null is sent as
 * null. Source: the gem vagrant_cloud 3.1, which vagrant 2.4 uses.
 */
export function currentClient(url: string, token?: string) {
  const client = clientOf(url, token);
  const request = (method: string, path: string, body?: Wire, api: 1 | 2 = 2): Promise<WireAnswer> =>
    client.send(method, path.startsWith('/api/') ? path : `/api/v${api}${path}`, body, {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-request-id': randomUUID(),
    });
  const boxPath = ({ username, name }: BoxName): string => `/box/${username}/${name}`;
  const versionPath = (at: VersionName): string => `${boxPath(at)}/version/${at.version}`;
  const apiOf = ({ architecture }: ProviderName): 1 | 2 => (architecture === undefined ? 1 : 2);
  const ofProvider = (method: string, at: ProviderName, end = '', body?: Wire): Promise<WireAnswer> => {
    const names = at.architecture === undefined ? at.provider : `${at.provider}/${at.architecture}`;
    return request(method, `${versionPath(at)}/provider/${names}${end}`, body, apiOf(at));
  };
  return {
    createToken: (login: string, password: string) =>
      request(
        'POST',
        '/authenticate',
        { user: { login, password }, token: { description: 'Vagrant login' }, two_factor: { code: null } },
        1,
      ),
    deleteToken: () => request('DELETE', '/authenticate', undefined, 1),
    requestCode: (login: string, password: string) =>
      request(
        'POST',
        '/two-factor/request-code',
        { two_factor: { delivery_method: 'sms' }, user: { login, password } },
        1,
      ),
    validateToken: () => request('GET', '/authenticate'),
    search: (query: Readonly<Record<string, string>>) =>
      request('GET', `/search?${new URLSearchParams(query)}`),
    organization: (name: string) => request('GET', `/user/${name}`),

    box: (at: BoxName) => request('GET', boxPath(at)),
    createBox: (at: BoxName, fields: Wire = {}) => request('POST', '/boxes', { ...at, ...fields }),
    updateBox: (at: BoxName, fields: Wire) => request('PUT', boxPath(at), fields),
    deleteBox: (at: BoxName) => request('DELETE', boxPath(at)),

    version: (at: VersionName) => request('GET', versionPath(at)),
    createVersion: (at: VersionName, description: string | null = null) =>
      request('POST', `${boxPath(at)}/versions`, { version: { version: at.version, description } }),
    updateVersion: (at: VersionName, description: string) =>
      request('PUT', versionPath(at), { version: { version: at.version, description } }),
    deleteVersion: (at: VersionName) => request('DELETE', versionPath(at)),
    releaseVersion: (at: VersionName) => request('PUT', `${versionPath(at)}/release`),
    revokeVersion: (at: VersionName) => request('PUT', `${versionPath(at)}/revoke`),

    provider: (at: ProviderName) => ofProvider('GET', at),
    createProvider(at: ProviderName, fields: Wire = {}) {
      const { architecture } = at;
      const named = { name: at.provider, ...(architecture !== undefined && { architecture }) };
      const body = { provider: { ...named, ...fields } };
      return request('POST', `${versionPath(at)}/providers`, body, apiOf(at));
    },
    /** @param fields `architecture` is the new architecture */
    updateProvider: (at: ProviderName, fields: Wire) =>
      ofProvider('PUT', at, '', { provider: { name: at.provider, ...fields } }),
    deleteProvider: (at: ProviderName) => ofProvider('DELETE', at),
    upload: (at: ProviderName) => ofProvider('GET', at, '/upload'),
    uploadDirect: (at: ProviderName) => ofProvider('GET', at, '/upload/direct'),
    /** The callback of a direct upload. The client uses only the path of the URL. */
    finishUpload: (callback: unknown) => request('PUT', new URL(String(callback)).pathname),
  };
}
