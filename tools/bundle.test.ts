import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as reading from '@gatehouse/module-archive/content-reader';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import config from '../rolldown.config.ts';
import { inRoot } from './folders.mjs';

test('reads archives in the bundle, where worker and parser are other files', async () => {
  // Packages outside the bundle are resolved from here.
  fs.mkdirSync(inRoot('.cache'), { recursive: true });
  const dir = fs.mkdtempSync(inRoot('.cache', 'bundle-'));
  try {
    const input = inRoot('packages/module-archive/src/content-reader.ts');
    await using bundle = await rolldown({ ...config, input });
    await bundle.write({
      dir,
      format: 'esm',
      entryFileNames: 'reader.js',
      chunkFileNames: 'parts/[name].js',
    });
    const built = (await import(pathToFileURL(path.join(dir, 'reader.js')).href)) as typeof reading;
    const reader = built.contentReader();
    const texts = new Map([['main.tf', Buffer.from('output "id" {\n  value = 1\n}\n')]]);
    expect(await reader.inTurn('ada', () => reader.read({ texts, unread: new Map() }))).toMatchObject({
      root: { outputs: [{ name: 'id' }] },
      problems: [],
    });
    await reader.close();
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
});
