import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pluginFiles } from './plugin-files.ts';

test('hashes a file once for simultaneous requests, and limits the number of waiting files', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'plugins-'));
  writeFileSync(join(folder.path, 'same'), 'one');
  const files = pluginFiles(folder.path);
  const [first, ...same] = Array.from({ length: 40 }, () => files.sha256('same'));
  expect(same.every((other) => other === first)).toBe(true);
  const names = Array.from({ length: 17 }, (_, number) => `other-${number}`);
  const others = await Promise.allSettled(names.map((name) => files.sha256(name)));
  const reasons = others.map((result) => (result.status === 'rejected' ? String(result.reason) : ''));
  expect(reasons.map((reason) => reason.includes('too many plugins'))).toEqual(
    names.map((_, number) => number === 16),
  );
  const before = await first;
  writeFileSync(join(folder.path, 'same'), 'two');
  expect(await files.sha256('same')).not.toBe(before);
});
