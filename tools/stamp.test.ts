import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshness } from './stamp.mjs';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-stamp-'));
  fs.mkdirSync(path.join(folder, 'src'));
  fs.writeFileSync(path.join(folder, 'src', 'a.ts'), 'one');
  fs.writeFileSync(path.join(folder, 'out.js'), '');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const look = () =>
  freshness({
    inputs: [path.join(folder, 'src')],
    output: path.join(folder, 'out.js'),
    stampFile: path.join(folder, '.cache', 'stamp'),
  });

describe('a build', () => {
  it('is stale until it is done', () => {
    expect(look().stale).toBe(true);
    look().done();
    expect(look().stale).toBe(false);
  });

  it('is stale when its output is gone', () => {
    look().done();
    fs.rmSync(path.join(folder, 'out.js'));
    expect(look().stale).toBe(true);
  });

  it('is stale when a source was changed, added or removed', () => {
    look().done();
    fs.writeFileSync(path.join(folder, 'src', 'a.ts'), 'two');
    expect(look().stale).toBe(true);
    look().done();
    fs.writeFileSync(path.join(folder, 'src', 'b.ts'), '');
    expect(look().stale).toBe(true);
    look().done();
    fs.rmSync(path.join(folder, 'src', 'b.ts'));
    expect(look().stale).toBe(true);
  });

  it('is stale when a source was changed while it ran', () => {
    const build = look();
    fs.writeFileSync(path.join(folder, 'src', 'a.ts'), 'two');
    build.done();
    expect(look().stale).toBe(true);
  });

  it('is current when sources were only touched, or a test was changed', () => {
    look().done();
    fs.utimesSync(path.join(folder, 'src', 'a.ts'), new Date(0), new Date(0));
    fs.writeFileSync(path.join(folder, 'src', 'a.test.ts'), 'test');
    expect(look().stale).toBe(false);
  });
});
