/** Sources of moves, by address. */
import { boxCredentials, createBoxSource } from './box-source.ts';
import { createModuleSource, moduleCredentials } from './module-source.ts';
import { createSourceNetwork, type SourceNetworkOptions } from './source-fetch.ts';
import type { BoxSource, ModuleSource } from './source.ts';

/** Opens sources. Tokens are sent only to the origin of the address. An empty token is none. */
export type Sources = ReturnType<typeof createSources>;

export function createSources(options: SourceNetworkOptions) {
  const network = createSourceNetwork(options);
  return {
    /** @throws ProblemError `invalid-request` for an address that the console doesn't call */
    boxes: (address: URL, token: string): BoxSource =>
      createBoxSource(network.at(address, boxCredentials(token)), token !== ''),
    /** @throws like `boxes` */
    modules: (address: URL, token: string): ModuleSource =>
      createModuleSource(network.at(address, moduleCredentials(token))),
    close: (): Promise<void> => network.close(),
  };
}
