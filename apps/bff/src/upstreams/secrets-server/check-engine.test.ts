import { expect, test } from 'vitest';
import type { Transport } from '../transport.ts';
import { engineAt } from './check-engine.ts';
import type { SecretsCaller } from './client.ts';

test('remembers the last 1,000 engines of a server that were asked for', async () => {
  let asked = 0;
  const transport: Partial<Transport> = {
    pool: {},
    prefix: '',
    parse: async (schema) => schema.parseAsync({ data: { type: 'kv', options: { version: '2' } } }),
  };
  /** Asks for an engine in a call of its own. */
  const ask = (mount: string) => {
    const caller: Partial<SecretsCaller> = {
      transport: transport as Transport,
      now: () => 0,
      send: () => {
        asked += 1;
        return Promise.resolve({ status: 200 } as Awaited<ReturnType<SecretsCaller['send']>>);
      },
    };
    return engineAt(caller as SecretsCaller, mount);
  };
  for (let index = 0; index < 1001; index += 1)
    expect(await ask(`secret/${index}`)).toEqual({ kind: 'versioned' });
  expect(asked).toBe(1001);
  await ask('secret/1000');
  await ask('secret/1');
  expect(asked).toBe(1001);
  await ask('secret/0');
  expect(asked).toBe(1002);
});
