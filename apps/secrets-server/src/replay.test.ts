import { expect, test } from 'vitest';
import { builtinVersion } from './plugins/builtins.ts';
import { tokenWith } from './testing/people.ts';
import { recording, replay, sendTo } from './testing/replay.ts';
import type { Difference } from './testing/replay.ts';
import { rootToken } from './testing/root-token.ts';
import { startServer } from './testing/server.ts';

const differences: Readonly<Record<number, Difference>> = {};

test('what was asked of OpenBao about keys and values, tokens and itself is answered as it did, but for the differences above', async () => {
  await using server = await startServer();
  const root = server.with(await rootToken(server));
  const mismatches = await replay({
    requests: recording('kv-and-system'),
    from: 0,
    to: 210,
    send: sendTo(server.url),
    token: await tokenWith(root, { no_parent: true }),
    fill: {},
    renamed: { 'v2.6.2+builtin.bao': builtinVersion },
    differences,
  });
  const fs = await import('node:fs');
  fs.writeFileSync('/tmp/mm.json', JSON.stringify(mismatches));
  expect(mismatches).toEqual([]);
});
