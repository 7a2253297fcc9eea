import type { Request } from 'express';
import type { Version } from '../../domain/box.ts';
import type { Context } from '../context.ts';

/** The version and the URL of the API that a client uses. */
export interface Api {
  /** Version 1 has no architectures, and sees only the default provider of each name. */
  readonly version: 1 | 2;
  /** The URL at which clients reach the registry, without a trailing slash. */
  readonly publicUrl: string;
}

/** The API that a request uses. */
export function apiOf(context: Pick<Context, 'publicUrl'>, req: Request): Api {
  return { version: req.path.startsWith('/api/v2/') ? 2 : 1, publicUrl: context.publicUrl() };
}

/** The providers of a version that are visible in an API. */
export function providersIn(api: Api, { providers }: Pick<Version, 'providers'>): Version['providers'] {
  return api.version === 2 ? providers : providers.filter((provider) => provider.isDefault);
}
