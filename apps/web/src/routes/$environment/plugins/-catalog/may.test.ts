import type { PluginMount } from '@gatehouse/api-types/console/plugins';
import { expect, test } from 'vitest';
import { nothingToUpgrade } from './may.ts';

const mount = (plugin: string): PluginMount => ({
  path: 'there',
  type: 'secret',
  plugin,
  description: '',
  configured_version: '',
  running_version: '',
  running_sha256: '',
});

test("a plugin without mounts can't be upgraded, and the reason depends on its type", () => {
  const mine = { type: 'secret', name: 'mine' } as const;
  expect(nothingToUpgrade(mine, [mount('mine')])).toBeUndefined();
  expect(nothingToUpgrade(mine, null)).toBeUndefined();
  expect(nothingToUpgrade(mine, [mount('other')])).toMatch(/^No mount in this namespace runs this plugin/);
  const database = { type: 'database', name: 'mine' } as const;
  expect(nothingToUpgrade(database, [])).toMatch(/^Each database connection/);
  expect(nothingToUpgrade({ type: 'auth', name: 'token' }, [])).toMatch(
    /always mounted, so it can only be upgraded with the server/,
  );
});
