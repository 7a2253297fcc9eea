import * as kit from '@gatehouse/service-kit/testing/client';

export type { Wire } from '@gatehouse/service-kit/testing/client';

/** A client that can also publish. */
export interface Client extends kit.Client {
  publish(path: string, archive: Uint8Array): Promise<kit.WireAnswer>;
}

/** A client with `token`, valid or not. */
export function clientOf(url: string, token: string | undefined): Client {
  const client = kit.clientOf(url, token);
  return {
    ...client,
    publish: (path, archive) =>
      client.send('PUT', `/v1/modules/${path}`, archive, { 'content-type': 'application/gzip' }),
  };
}
