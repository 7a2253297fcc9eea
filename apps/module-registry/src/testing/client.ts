import * as kit from '@gatehouse/service-kit/testing/client';

export type { Wire } from '@gatehouse/service-kit/testing/client';

/** A client that can publish too. */
export interface Client extends kit.Client {
  /** Publishes an archive. */
  publish(path: string, archive: Uint8Array): Promise<kit.WireAnswer>;
}

/** A client that presents `token`, whatever it is. */
export function clientOf(url: string, token: string | undefined): Client {
  const client = kit.clientOf(url, token);
  return {
    ...client,
    publish: (path, archive) =>
      client.send('PUT', `/v1/modules/${path}`, archive, { 'content-type': 'application/gzip' }),
  };
}
