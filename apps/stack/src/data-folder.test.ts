import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { takeDataFolder } from '@gatehouse/service-kit/data-folder';
import { StartError } from '@gatehouse/service-kit/start-error';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRuntimeFolder } from './runtime-folder.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-data-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('the data folder', () => {
  it('is created for its owner only', () => {
    const inner = path.join(folder, 'a', 'b');
    takeDataFolder(inner).release();
    expect(fs.statSync(inner).mode & 0o777).toBe(0o700);
  });

  it('and its files become private, even if they were open to others before', () => {
    fs.chmodSync(folder, 0o755);
    for (const name of ['gatehouse.lock', 'gatehouse.pid']) {
      fs.writeFileSync(path.join(folder, name), '', { mode: 0o644 });
    }
    const taken = takeDataFolder(folder);
    const modeOf = (name: string) => fs.statSync(path.join(folder, name)).mode & 0o777;
    expect([modeOf('.'), modeOf('gatehouse.lock'), modeOf('gatehouse.pid')]).toEqual([0o700, 0o600, 0o600]);
    taken.release();
  });

  it('can be taken by one process until it is released', () => {
    const taken = takeDataFolder(folder);
    expect(() => takeDataFolder(folder)).toThrow(StartError);
    expect(() => takeDataFolder(folder)).toThrow(
      new RegExp(`in use by another process \\(PID ${process.pid}\\)`),
    );
    taken.release();
    taken.release();
    takeDataFolder(folder).release();
  });

  it('is free again after its process has been killed', async () => {
    const holder = new URL('../../../packages/service-kit/src/data-folder.ts', import.meta.url).href;
    const script = `const { takeDataFolder } = await import(${JSON.stringify(holder)});
      globalThis.taken = takeDataFolder(${JSON.stringify(folder)});
      process.stdout.write('taken');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(() => takeDataFolder(folder)).toThrow(`(PID ${child.pid})`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    takeDataFolder(folder).release();
  });

  it("is refused in one line if it can't be written", () => {
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    expect(() => takeDataFolder(path.join(file, 'data'))).toThrow(/^Can't write to the data folder [^\n]*$/);
  });
});

describe('the runtime folder', () => {
  it('is the same for the same data folder, private, and short enough for a socket', () => {
    const deep = path.join(folder, 'd'.repeat(120));
    fs.mkdirSync(deep);
    const runtime = makeRuntimeFolder(deep);
    try {
      expect(makeRuntimeFolder(deep)).toBe(runtime);
      expect(fs.statSync(runtime).mode & 0o777).toBe(0o700);
      expect(Buffer.byteLength(path.join(runtime, '12-access.sock'))).toBeLessThan(104);
    } finally {
      fs.rmSync(runtime, { recursive: true });
    }
  });

  it('is refused if others can enter it', () => {
    const runtime = makeRuntimeFolder(folder);
    try {
      fs.chmodSync(runtime, 0o755);
      expect(() => makeRuntimeFolder(folder)).toThrow(/open to others/);
    } finally {
      fs.rmSync(runtime, { recursive: true });
    }
  });
});
