import { createHash } from 'node:crypto';
import { contentOf } from '@gatehouse/module-archive/content';
import { firstAccountId } from '@gatehouse/service-kit/accounts';
import { withParameters } from '@gatehouse/service-kit/store';
import type { ModuleAddress } from '../domain/module.ts';
import type { RegistryStore } from './database.ts';
import { contentColumns } from './modules.ts';

/** The initial modules of an empty registry. Only for tests and benchmarks, since they have no archives. */
export type Seed = Iterable<SeedModule>;

export interface SeedModule extends ModuleAddress {
  readonly description: string;
  /** The numbers of its versions, oldest first; the last one becomes the latest. */
  readonly versions: readonly string[];
  readonly verified?: boolean;
}

/** Fills a registry that has no modules. @returns whether it did */
export function seedModules(store: RegistryStore, seed: Seed, now: number): Promise<boolean> {
  const { build } = store;
  const content = contentColumns(contentOf({ texts: new Map(), unread: new Map() }, new Map(), []));
  const insertModule = build
    .insertInto('module')
    .values({
      namespace: '',
      name: '',
      provider: '',
      verified: 0,
      latest_id: null,
      search: '',
      downloads: 0,
      created_time: now,
    })
    .compile();
  const insertVersion = build
    .insertInto('version')
    .values({
      module_id: 0,
      version: '',
      description: '',
      source: '',
      owner: 'admin',
      archive_key: '',
      archive_size: 0,
      archive_sha256: '',
      ...content,
      deprecation: null,
      published_time: now,
      deleted_time: null,
    })
    .compile();
  return store.write((tx) => {
    if (tx.get(build.selectFrom('module').select('id').limit(1).compile()) !== undefined) return false;
    let [modules, versions] = [0, 0];
    const namespaces = new Set<string>();
    for (const { namespace, name, provider, description, verified = false, versions: numbers } of seed) {
      if (!namespaces.has(namespace)) {
        namespaces.add(namespace);
        tx.run(
          tx.build
            .insertInto('namespace')
            .values({ name: namespace, account_id: firstAccountId, created_time: now })
            .compile(),
        );
      }
      modules += 1;
      const address = `${namespace}/${name}/${provider}`;
      const search = `${address} ${description}`.toLowerCase();
      const latest = versions + numbers.length;
      tx.run(
        withParameters(insertModule, namespace, name, provider, verified ? 1 : 0, latest, search, 0, now),
      );
      for (const number of numbers) {
        versions += 1;
        const key = `seed-${versions}`;
        const sha256 = createHash('sha256').update(key).digest('hex');
        const about = [description, `https://git.example.com/${namespace}/${name}`, 'admin'] as const;
        tx.run(
          withParameters(
            insertVersion,
            modules,
            number,
            ...about,
            key,
            1024,
            sha256,
            ...Object.values(content),
            null,
            now,
            null,
          ),
        );
      }
    }
    return true;
  });
}
