import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { archiveBounds } from '@gatehouse/module-archive/read-archive';
import { archive, smallModule, tar, tarEntry } from '@gatehouse/module-archive/testing/archives';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { startKillable } from '@gatehouse/service-kit/testing/killable';
import { expect, test } from 'vitest';
import { signIn } from './testing/server.ts';

const script = new URL('./testing/server-process.ts', import.meta.url);
const zeros = Buffer.alloc(8 * 2 ** 20);
const packedZeros = gzipSync(zeros);
const header = (name: string, size: number): Buffer => tarEntry({ name, size });
const tooMany = gzipSync(
  Buffer.concat(Array.from({ length: 10_001 }, (_, n) => tarEntry({ name: String(n) }))),
);
const main = { name: 'main.tf', body: 'a = 1\n' };

/**
 * Builds archives that each attack in a different way, by number. They are built one at a time to save memory in this
 * process.
 */
const attempts: readonly ((at: number) => Buffer)[] = [
  // More than 256 MiB unpacked.
  (at) =>
    Buffer.concat([
      gzipSync(Buffer.concat([tarEntry(main), header(`a${at}`, 31 * zeros.length)])),
      ...Array<Buffer>(31).fill(packedZeros),
      gzipSync(header(`b${at}`, zeros.length)),
      packedZeros,
    ]),
  (at) => gzipSync(tar([main, { name: `../${'../'.repeat(at)}etc/passwd`, body: 'x' }])),
  (at) => gzipSync(tar([main, { name: 'l', type: '2', target: `${'../'.repeat(at + 1)}etc` }])),
  (at) => gzipSync(tar([main, { name: 'd', type: '346'.charAt(at % 3) }])),
  (at) =>
    gzipSync(
      tar([main, { name: 'l', type: '2', target: 'd' }, { name: 'd', type: '5' }, { name: `l/${at}` }]),
    ),
  (at) =>
    at < 4
      ? Buffer.concat([gzipSync(tarEntry({ ...main, name: `${at}.tf` })), tooMany])
      : gzipSync(tar([main, { name: `/${'../'.repeat(at)}etc/passwd`, body: 'x' }])),
  (at) => gzipSync(tarEntry({ name: 'p', type: 'L', body: Buffer.alloc(70_000 + at, 'n') })),
  (at) => gzipSync(tarEntry({ name: 'main.tf', size: 2 ** 30 + at })),
  (at) => gzipSync(tar([main])).subarray(0, 20 + at),
  (at) => archive({ [`folder-${at}/main.tf`]: '' }),
  (at) => Buffer.concat([smallModule(), Buffer.from(`more ${at}`)]),
  (at) => randomBytes(1000 + at * 10_000),
];

/** The resident memory of a process, in MiB. */
function residentMiB(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

test.runIf(process.platform === 'linux')(
  'answers each of 200 hostile archives clearly, within 64 MiB of memory',
  async () => {
    using folder = temporaryFolder();
    const registry = await startKillable(script, folder.path);
    try {
      const admin = await signIn(registry.url, 'admin');
      for (let at = 0; at < 20; at++)
        expect((await admin.publish(`acme/net/aws/1.${at}.0`, smallModule())).status).toBe(201);
      const rest = residentMiB(registry.pid);
      let most = rest;
      for (let at = 0; at < 200; at++) {
        const attempt = attempts[at % attempts.length];
        const answer = await admin.publish(
          'acme/net/aws/2.0.0',
          attempt?.(Math.floor(at / attempts.length)) ?? Buffer.alloc(0),
        );
        expect([answer.status, answer.body['errors']], String(at)).toEqual([
          422,
          [expect.stringMatching(/^The archive was refused: .{10}/)],
        ]);
        most = Math.max(most, residentMiB(registry.pid));
      }
      expect(most - rest).toBeLessThan(64);
      expect((await admin.publish('acme/net/aws/2.0.0', smallModule())).status).toBe(201);
    } finally {
      await registry.kill();
    }
  },
);

const { fileBytes } = archiveBounds.configuration;
const repeated = (text: string): string => text.repeat(Math.floor((fileBytes - 100) / text.length));

/** Configuration files of the largest accepted size that need an unusual amount of memory to parse. */
const costly: Readonly<Record<string, string>> = {
  templates: `locals {\n  a = "${repeated('${a}')}"\n}\n`,
  sums: `locals {\n  a = ${repeated('1+')}1\n}\n`,
};

test.runIf(process.platform === 'linux')(
  'reads configuration that is costly to parse within 128 MiB',
  async () => {
    using folder = temporaryFolder();
    const registry = await startKillable(script, folder.path);
    try {
      const admin = await signIn(registry.url, 'admin');
      expect((await admin.publish('acme/net/aws/1.0.0', smallModule())).status).toBe(201);
      const rest = residentMiB(registry.pid);
      let most = rest;
      const watch = setInterval(() => {
        most = Math.max(most, residentMiB(registry.pid));
      }, 20);
      for (const [at, text] of Object.values(costly).entries()) {
        const { body } = await admin.publish(`acme/net/aws/2.${at}.0`, archive({ 'main.tf': text }));
        expect(body['reading']).toEqual({ state: 'read', problems: [] });
      }
      clearInterval(watch);
      expect(most - rest).toBeLessThan(128);
      // A larger file is stored, but not read.
      const large = await admin.publish(
        'acme/net/aws/3.0.0',
        archive({ 'main.tf': ' '.repeat(fileBytes + 1) }),
      );
      expect(large.body['reading']).toMatchObject({ state: 'unreadable', problems: [{ path: 'main.tf' }] });
    } finally {
      await registry.kill();
    }
  },
);
