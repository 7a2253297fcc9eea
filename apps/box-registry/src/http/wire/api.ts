import type { Request } from 'express';
import type { Version } from '../../domain/box.ts';
import type { Context } from '../context.ts';

/** The API as a client speaks it: in which version, and where. */
export interface Api {
  /** Version 1 knows no architectures: of each provider's name it has the default one. */
  readonly version: 1 | 2;
  /** Where clients reach the registry, without a slash at its end. */
  readonly publicUrl: string;
}

/** The version of the API that a request speaks. */
export function apiOf(context: Pick<Context, 'publicUrl'>, req: Request): Api {
  return { version: req.path.startsWith('/api/v2/') ? 2 : 1, publicUrl: context.publicUrl() };
}

/** The providers of a version that clients of an API know of. */
export function providersIn(api: Api, { providers }: Pick<Version, 'providers'>): Version['providers'] {
  return api.version === 2 ? providers : providers.filter((provider) => provider.isDefault);
}
