import type { Store } from '@gatehouse/service-kit/store';
import { globalScopeId } from '../domain/scope.ts';
import { newGlobalScope, newSeedHostCatalog, newSeedScope, newSeedTarget } from '../domain/seed.ts';
import type { Seed, SeedProject } from '../domain/seed.ts';
import type { Target } from '../domain/target/target.ts';
import { hostCatalogTable } from './host-catalogs.ts';
import { hostSetTable } from './host-sets.ts';
import { hostTable } from './hosts.ts';
import { insertResources } from './resources.ts';
import type { Schema } from './schema.ts';
import { insertScope } from './scopes.ts';
import { targetTable } from './targets.ts';

/**
 * Fills an empty store in one transaction; leaves any other store unchanged.
 * @param now creation time, in milliseconds since the epoch
 * @returns whether the store was empty
 * @throws Refusal if the seed breaks the rules
 */
export function seedStore(store: Store<Schema>, seed: Seed, now: number): Promise<boolean> {
  return store.write((tx) => {
    const global = tx.get(
      tx.build.selectFrom('scope').select('id').where('id', '=', globalScopeId).compile(),
    );
    if (global !== undefined) return false;
    insertScope(tx, newGlobalScope(now));
    for (const org of seed) {
      const orgScope = newSeedScope('org', globalScopeId, org, now);
      insertScope(tx, orgScope);
      for (const project of org.projects) {
        const projectScope = newSeedScope('project', orgScope.id, project, now);
        insertScope(tx, projectScope);
        insertResources(tx, targetTable, projectScope.id, seedTargets(project, projectScope.id, now));
        for (const seedCatalog of project.hostCatalogs ?? []) {
          const { catalog, hosts, sets } = newSeedHostCatalog(projectScope.id, seedCatalog, now);
          insertResources(tx, hostCatalogTable, projectScope.id, [catalog]);
          insertResources(tx, hostTable, catalog.id, hosts);
          insertResources(tx, hostSetTable, catalog.id, sets);
        }
      }
    }
    return true;
  });
}

function* seedTargets(project: SeedProject, projectId: string, now: number): Generator<Target> {
  for (const target of project.targets) yield newSeedTarget(projectId, target, now);
}
