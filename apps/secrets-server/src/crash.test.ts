import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { startKillable, type Killable } from '@gatehouse/service-kit/testing/killable';
import { afterEach, expect, test } from 'vitest';
import { clientOf } from './testing/client.ts';
import type { Client, WireAnswer } from './testing/client.ts';
import { tokenOf } from './testing/people.ts';
import { testPassword } from './testing/server.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const rounds = deep ? 50 : 1;
/** In milliseconds. */
const timeout = deep ? 1_800_000 : 60_000;
const writers = 8;
/** The minimum number of acknowledged writes before a round ends. */
const writesPerRound = 60;

const script = new URL('./testing/server-process.ts', import.meta.url);
let running: Killable | undefined;
afterEach(() => running?.kill());

/** Starts a server with `dataDir` in a process that can be killed, and returns its address. */
async function start(dataDir: string): Promise<string> {
  running = await startKillable(script, dataDir);
  return running.url;
}

async function killHard(): Promise<void> {
  await running?.kill();
}

/** Writes versions of one key until the server is gone, and counts the acknowledged ones. */
class Writer {
  readonly path: string;
  /** The number of acknowledged versions. */
  acknowledged = 0;
  /** The latest version whose metadata update was acknowledged. */
  noted = 0;

  constructor(name: string) {
    this.path = name;
  }

  async run(client: Client, told: () => void): Promise<void> {
    for (;;) {
      const n = this.acknowledged + 1;
      let write: WireAnswer;
      let note: WireAnswer;
      try {
        // All fields have the same number, so that a half-applied write is detected.
        write = await client.write(`secret/data/${this.path}`, {
          data: { n, again: { n } },
          options: { cas: this.acknowledged },
        });
        expect([write.status, write.data['version']]).toEqual([200, n]);
        this.acknowledged = n;
        told();
        note = await client.write(`secret/metadata/${this.path}`, { custom_metadata: { n: String(n) } });
      } catch (error) {
        if (error instanceof TypeError) return;
        throw error;
      }
      expect(note.status).toBe(204);
      this.noted = n;
      told();
    }
  }

  /** Compares the stored state with the acknowledged one, and adopts the outcome of an unanswered write. */
  async reconcile(client: Client): Promise<void> {
    const { data } = await client.read(`secret/metadata/${this.path}`);
    const stored = Number(data['current_version']);
    expect([this.acknowledged, this.acknowledged + 1]).toContain(stored);
    const notes = data['custom_metadata'] as Record<string, string> | null;
    expect([this.noted, this.noted + 1]).toContain(Number(notes?.['n'] ?? 0));
    const versions = Object.keys(data['versions'] as object).map(Number);
    expect(versions).toEqual(
      Array.from({ length: Math.min(stored, 10) }, (_, at) => Math.max(stored - 9, 1) + at),
    );
    for (const version of versions) {
      const read = await client.read(`secret/data/${this.path}?version=${version}`);
      expect(read.data['data']).toEqual({ n: version, again: { n: version } });
    }
    this.acknowledged = stored;
    this.noted = Number(notes?.['n'] ?? 0);
  }
}

test(
  `no acknowledged write is lost when the server is killed under ${writers} writers`,
  { timeout },
  async () => {
    using folder = temporaryFolder();
    const all = Array.from({ length: writers }, (_, n) => new Writer(`folder/key%20${n}`));
    let url = await start(folder.path);
    const login = await clientOf(url, undefined).write('auth/userpass/login/admin', {
      password: testPassword,
    });
    const token = tokenOf(login);
    for (let round = 0; round < rounds; round++) {
      const client = clientOf(url, token);
      let told = 0;
      const enough = Promise.withResolvers<void>();
      const running = Promise.all(
        all.map((writer) =>
          writer.run(client, () => {
            if (++told === writesPerRound + round) enough.resolve();
          }),
        ),
      );
      await Promise.race([enough.promise, running]);
      await killHard();
      await running;
      url = await start(folder.path);
      await Promise.all(all.map((writer) => writer.reconcile(clientOf(url, token))));
    }
    expect(all.every((writer) => writer.acknowledged > 0)).toBe(true);
    await killHard();
  },
);
