import type { Seed, SeedSecret } from '@gatehouse/secrets-server';

/** The number of secrets in their own folders, in addition to the large folder. */
const folders = 2_000;

/**
 * The initial content of a secrets server with a large folder, `fleet/`, and many small ones; for tests of long lists
 * and for benchmarks. Names are unique: `fleet/host-000001` and so on, `teams/0001/token`.
 * @param secrets the number in the large folder; with 0 there is only the engine
 */
export function largeSecrets(secrets: number): Seed {
  const keyValueMounts = ['secret/'];
  return secrets === 0 ? { keyValueMounts } : { keyValueMounts, secrets: manySecrets(secrets) };
}

function* manySecrets(count: number): Generator<SeedSecret> {
  for (let number = 1; number <= count; number += 1) {
    yield { path: `fleet/host-${String(number).padStart(6, '0')}`, data: { password: `sample ${number}` } };
  }
  for (let number = 1; number <= folders; number += 1) {
    yield { path: `teams/${String(number).padStart(4, '0')}/token`, data: { token: `sample ${number}` } };
  }
}
