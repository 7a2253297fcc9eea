import { LRUCache } from 'lru-cache';
import { badRequest } from '../../core/refusal.ts';
import type { Environment, RootConfig } from '../../domain/cloud/root.ts';
import type { CloudStore } from '../../store/cloud/cloud-store.ts';
import type { Provider } from './provider.ts';

/** The providers of all engines. Each is kept while its configuration stays the same. */
export type Providers = ReturnType<typeof providersOf>;

/** The configuration of an engine in the root namespace that has none; it uses the environment. */
export const noRoot: RootConfig = {
  accessKey: '',
  secretKey: '',
  region: '',
  iamEndpoint: '',
  stsEndpoint: '',
  maxRetries: -1,
  origin: '@',
};

/** The maximum number of kept providers, each of some 75 kB. Others are opened again when they are needed. */
const mostKept = 500;

/** Opens the providers of configured engines. @param isOfRoot whether a mount is in the root namespace */
export function providersOf(
  store: Pick<CloudStore, 'root'>,
  environment: Environment,
  isOfRoot: (mountId: number) => boolean,
) {
  const closed = new AbortController();
  const kept = new LRUCache<number, { readonly key: string; readonly provider: Provider }>({ max: mostKept });
  const openApart = async (config: RootConfig): Promise<Provider> => {
    // Loaded on demand, because most servers never call a provider.
    const { openProvider } = await import('./aws/provider.ts');
    return openProvider(config, environment, closed.signal);
  };

  return {
    /**
     * Returns an engine's provider for its current configuration.
     * @throws Refusal 400 for an engine without keys in a namespace, because the environment's keys are only for the
     * root namespace
     */
    async of(mountId: number): Promise<Provider> {
      const config = store.root(mountId) ?? noRoot;
      if (config.accessKey === '' && !isOfRoot(mountId)) {
        throw badRequest('an engine in a namespace needs access_key and secret_key in config/root');
      }
      const key = JSON.stringify(config);
      const known = kept.get(mountId);
      if (known?.key === key) return known.provider;
      const provider = await openApart(config);
      kept.set(mountId, { key, provider });
      return provider;
    },
    /** Opens a provider outside the cache, for trying keys. */
    openApart,
    /** Drops the kept providers, with their keys. Calls in progress continue. */
    forget: (): void => kept.clear(),
    /** Aborted when no call may be made any more. */
    closed: closed.signal,
    /** Aborts all calls permanently. */
    close: (): void => closed.abort(),
  };
}
