import type { Route } from '../../core/backend.ts';
import type { Body } from '../../core/body.ts';
import { integerField, textField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import { originOf } from '../../domain/cloud/root.ts';
import type { RootConfig } from '../../domain/cloud/root.ts';
import type { Engine } from './engine.ts';

/** The engine's root credentials. A write replaces the whole configuration without checking it at the provider. */
export function rootConfigRoute({ store }: Engine): Route {
  return {
    path: 'config/root',
    fields: ['max_retries', 'access_key', 'secret_key', 'region', 'iam_endpoint', 'sts_endpoint'],
    forwarded: true,
    exists: ({ mount }) => store.root(mount.id) !== undefined,
    operations: {
      read: ({ mount }) => {
        const config = store.root(mount.id);
        if (config === undefined) return undefined;
        return {
          data: {
            access_key: config.accessKey,
            iam_endpoint: config.iamEndpoint,
            max_retries: config.maxRetries,
            region: config.region,
            sts_endpoint: config.stsEndpoint,
          },
        };
      },
      update: async ({ mount, body }) => {
        const config = rootOf(body);
        const now = store.root(mount.id);
        const same = now?.accessKey === config.accessKey && now.iamEndpoint === config.iamEndpoint;
        await store.saveRoot(mount.id, same ? { ...config, origin: now.origin } : config);
        return undefined;
      },
    },
  };
}

/** Parses a root configuration. @throws Refusal 400 */
export function rootOf(body: Body): RootConfig {
  const text = (name: string): string => (textField(body, name) ?? '').trim();
  const accessKey = text('access_key');
  const iamEndpoint = endpointOf('iam_endpoint', text('iam_endpoint'));
  const config: RootConfig = {
    accessKey,
    secretKey: text('secret_key'),
    region: text('region'),
    iamEndpoint,
    stsEndpoint: endpointOf('sts_endpoint', text('sts_endpoint')),
    maxRetries: integerField(body, 'max_retries') ?? -1,
    origin: originOf({ accessKey, iamEndpoint }),
  };
  if ((config.accessKey === '') !== (config.secretKey === '')) {
    throw badRequest('access_key and secret_key must be given together');
  }
  if (config.maxRetries < -1) throw badRequest('max_retries must be -1 or more');
  return config;
}

function endpointOf(name: string, text: string): string {
  if (text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw badRequest(`${name} must be an http or https URL`);
}
