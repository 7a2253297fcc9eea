import { badRequest } from '../../core/refusal.ts';
import type { Environment, RootConfig } from '../../domain/cloud/root.ts';
import type { CloudStore } from '../../store/cloud/cloud-store.ts';
import type { Provider } from './provider.ts';

/** The providers of all engines. Connections are kept while an engine's configuration is the same. */
export type Providers = ReturnType<typeof providersOf>;

/** An engine of the root namespace without a configuration works with what the environment has. */
export const noRoot: RootConfig = {
  accessKey: '',
  secretKey: '',
  region: '',
  iamEndpoint: '',
  stsEndpoint: '',
  maxRetries: -1,
  origin: '@',
};

/** How long calls under way may use connections that were replaced, in milliseconds. */
const grace = 60_000;

/** Providers by the configurations of a store. @param isOfRoot whether a mount is one of the root namespace */
export function providersOf(
  store: CloudStore,
  environment: Environment,
  isOfRoot: (mountId: number) => boolean,
) {
  const closed = new AbortController();
  const kept = new Map<number, { readonly key: string; readonly provider: Provider }>();
  const openApart = async (config: RootConfig): Promise<Provider> => {
    // Loaded by the first call that needs it: most servers never ask a provider.
    const { openProvider } = await import('./aws/provider.ts');
    return openProvider(config, environment, closed.signal);
  };

  return {
    /**
     * The provider of an engine, by its configuration as it is now.
     * @throws Refusal 400 for one of a namespace without keys: those of the environment are for the root namespace
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
      if (known !== undefined) setTimeout(() => known.provider.close(), grace).unref();
      kept.set(mountId, { key, provider });
      return provider;
    },
    /** One that is not kept, for keys that are to be tried. The caller closes it. */
    openApart,
    /** Closes those that are kept. */
    forget(): void {
      for (const { provider } of kept.values()) provider.close();
      kept.clear();
    },
    /** Ends every call that is under way, for good. */
    close(): void {
      closed.abort();
      this.forget();
    },
  };
}
