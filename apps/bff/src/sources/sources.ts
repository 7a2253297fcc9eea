/** Registries that people move from, by their addresses. */
import { boxCredentials, createBoxSource } from './box-source.ts';
import { createModuleSource, moduleCredentials } from './module-source.ts';
import { createSourceNetwork, type SourceNetworkOptions } from './source-fetch.ts';
import type { BoxSource, ModuleSource } from './source.ts';

/** Opens sources. Tokens go to the origin of the address alone; an empty one is none. */
export interface Sources {
  /** @throws ProblemError `invalid-request` for an address that the console does not call */
  boxes(address: URL, token: string): BoxSource;
  /** @throws as `boxes` */
  modules(address: URL, token: string): ModuleSource;
  close(): Promise<void>;
}

export function createSources(options: SourceNetworkOptions): Sources {
  const network = createSourceNetwork(options);
  return {
    boxes: (address, token) => createBoxSource(network.at(address, boxCredentials(token)), token !== ''),
    modules: (address, token) => createModuleSource(network.at(address, moduleCredentials(token))),
    close: () => network.close(),
  };
}
