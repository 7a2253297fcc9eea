import { wellKnownSeed } from '@gatehouse/access-controller/domain/seed';
import type { Seed, SeedTarget } from '@gatehouse/access-controller/domain/seed';

const kinds = [
  { name: 'web', port: 443, what: 'Web server' },
  { name: 'postgres', port: 5432, what: 'Database' },
  { name: 'redis', port: 6379, what: 'Cache' },
  { name: 'ssh', port: 22, what: 'Host' },
  { name: 'kafka', port: 9094, what: 'Broker' },
] as const;

const projects = 10;

/**
 * The initial content of a controller with many targets in addition to the well-known ones, spread evenly over ten
 * projects; for tests of long lists and for benchmarks. Names are unique: `web-000001`, `postgres-000002` and so on.
 * @param targets the number of targets
 */
export function largeEstate(targets: number): Seed {
  if (targets === 0) return wellKnownSeed;
  return [
    ...wellKnownSeed,
    {
      name: 'Large estate',
      description: `${targets} targets`,
      projects: Array.from({ length: projects }, (_, index) => ({
        name: `Fleet ${index + 1}`,
        description: `Every ${projects}th target`,
        targets: fleet(index, targets),
      })),
    },
  ];
}

function* fleet(first: number, targets: number): Generator<SeedTarget> {
  for (let number = first; number < targets; number += projects) {
    const kind = kinds[number % kinds.length] ?? kinds[0];
    yield {
      type: 'tcp',
      name: `${kind.name}-${String(number + 1).padStart(6, '0')}`,
      description: `${kind.what} ${number + 1}`,
      address: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      defaultPort: kind.port,
    };
  }
}
