import type { SeedModule } from '@gatehouse/module-registry';

const kinds = [
  { name: 'vpc', provider: 'aws', what: 'Network with private subnets' },
  { name: 'cluster', provider: 'google', what: 'Kubernetes with node groups' },
  { name: 'postgres', provider: 'azurerm', what: 'Database with backups' },
  { name: 'queue', provider: 'aws', what: 'Queue with a dead-letter queue' },
  { name: 'dns', provider: 'cloudflare', what: 'Zone and its records' },
] as const;

const namespaces = 50;
/** The versions of each module. */
const versions = Array.from({ length: 10 }, (_, number) => `1.${number}.0`);

/**
 * The initial content of a module registry with many modules of ten versions each; for tests of long lists and for
 * benchmarks. Names are unique: `vpc-00001`, `cluster-00002` and so on. They have no archives.
 * @param modules the number of modules
 */
export function* largeModules(modules: number): Generator<SeedModule> {
  for (let number = 1; number <= modules; number += 1) {
    const kind = kinds[number % kinds.length] ?? kinds[0];
    yield {
      namespace: `team-${String(number % namespaces).padStart(2, '0')}`,
      name: `${kind.name}-${String(number).padStart(5, '0')}`,
      provider: kind.provider,
      description: `${kind.what}, the company's number ${number}`,
      verified: number % 7 === 0,
      versions,
    };
  }
}
