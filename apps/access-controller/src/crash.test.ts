import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { startKillable, type Killable } from '@gatehouse/service-kit/testing/killable';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './store/database.ts';
import { targetStore } from './store/targets.ts';
import { clientOf, itemsOf, signIn, testPassword, textOf } from './testing/controller.ts';
import type { Answer, Client, Wire } from './testing/controller.ts';

const rounds = process.env['GATEHOUSE_DEEP'] === '1' ? 250 : 1;
const writers = 8;

const script = new URL('./testing/controller-process.ts', import.meta.url);
let running: Killable | undefined;
afterEach(() => running?.kill());

/** Starts a controller on `dataDir` in a process that can be killed. @returns its address */
async function start(dataDir: string): Promise<string> {
  running = await startKillable(script, dataDir);
  return running.url;
}

async function killHard(): Promise<void> {
  await running?.kill();
}

/**
 * The last state of a target that its writer knows: the number in every field, and the version; undefined if it
 * doesn't exist.
 */
interface Known {
  readonly id: string;
  readonly number: number;
  readonly version: number;
}

/** Sets every settable field of a target to the same number, which exposes a half-applied change. */
const fieldsOf = (name: string, number: number): Wire => ({
  name: `${name} ${number}`,
  description: `number ${number}`,
  session_max_seconds: number,
  session_connection_limit: number,
  address: `10.0.${number >> 8}.${number & 255}`,
  attributes: { default_port: number, default_client_port: number },
});

/** Writes until the controller is gone, and remembers the acknowledged state and the pending change. */
class Writer {
  readonly name: string;
  known: Known | undefined;
  /** The change that was sent but not answered. */
  pending: { readonly kind: 'create' | 'change' | 'delete'; readonly number: number } | undefined;
  #number = 0;

  constructor(name: string) {
    this.name = name;
  }

  async run(client: Client, acknowledged: () => void): Promise<void> {
    for (;;) {
      const number = ++this.#number;
      const { known } = this;
      const kind = known === undefined ? 'create' : number % 7 === 0 ? 'delete' : 'change';
      this.pending = { kind, number };
      let answer: Answer;
      try {
        const fields = fieldsOf(this.name, number);
        if (known === undefined) {
          answer = await client.post('/v1/targets', { ...fields, scope_id: 'p_1234567890', type: 'tcp' });
        } else if (kind === 'change') {
          answer = await client.patch(`/v1/targets/${known.id}`, { ...fields, version: known.version });
        } else {
          answer = await client.delete(`/v1/targets/${known.id}`);
        }
      } catch {
        return;
      }
      expect(answer.status, JSON.stringify(answer.body)).toBe(kind === 'delete' ? 204 : 200);
      this.known =
        kind === 'delete'
          ? undefined
          : { id: textOf(answer.body, 'id'), number, version: (known?.version ?? 0) + 1 };
      this.pending = undefined;
      acknowledged();
    }
  }

  /** Compares the stored targets with the acknowledged state; accepts an unanswered change as done or not done. */
  reconcile(stored: readonly Wire[]): void {
    const mine = stored.filter((item) => textOf(item, 'name').startsWith(`${this.name} `));
    expect(mine.length).toBeLessThanOrEqual(1);
    const [item] = mine;
    const found: Known | undefined =
      item === undefined
        ? undefined
        : {
            id: textOf(item, 'id'),
            number: Number(item['session_max_seconds']),
            version: Number(item['version']),
          };
    if (item !== undefined && found !== undefined)
      expect(item).toMatchObject(fieldsOf(this.name, found.number));

    const possible: (Known | undefined)[] = [this.known];
    if (this.pending?.kind === 'create')
      possible.push({ id: found?.id ?? '', number: this.pending.number, version: 1 });
    if (this.pending?.kind === 'delete') possible.push(undefined);
    if (this.pending?.kind === 'change' && this.known !== undefined) {
      possible.push({ id: this.known.id, number: this.pending.number, version: this.known.version + 1 });
    }
    expect(possible).toContainEqual(found);
    this.known = found;
    this.pending = undefined;
  }
}

const sourceKinds = [
  'application_credential_source_ids',
  'brokered_credential_source_ids',
  'injected_application_credential_source_ids',
] as const;

/**
 * Sets the credential sources of one target until the controller is gone. All three kinds get the same sources, which
 * exposes a half-applied change.
 */
class Linker {
  readonly #target: string;
  readonly #credentials: readonly string[];
  #known: { readonly version: number; readonly ids: readonly string[] } = { version: 1, ids: [] };
  #pending: readonly string[] | undefined;
  #number = 0;

  constructor(target: string, credentials: readonly string[]) {
    this.#target = target;
    this.#credentials = credentials;
  }

  /** Creates the target and its credentials. */
  static async create(client: Client): Promise<Linker> {
    const make = async (collection: string, body: Wire): Promise<string> => {
      const answer = await client.post(`/v1/${collection}`, { scope_id: 'p_1234567890', ...body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return textOf(answer.body, 'id');
    };
    const store = await make('credential-stores', { type: 'static' });
    const credential = {
      credential_store_id: store,
      type: 'username_password',
      attributes: { username: 'app', password: 'secret' },
    };
    const credentials = [];
    for (let n = 0; n < 3; n++) credentials.push(await make('credentials', credential));
    return new Linker(await make('targets', { type: 'ssh', name: 'linked' }), credentials);
  }

  async run(client: Client, acknowledged: () => void): Promise<void> {
    for (;;) {
      // The bits of a number between 1 and 7 that differs from the previous one.
      const number = 1 + (this.#number++ % 7);
      const ids = this.#credentials.filter((_, bit) => (number >> bit) % 2 === 1).sort();
      this.#pending = ids;
      let answer: Answer;
      try {
        answer = await client.post(`/v1/targets/${this.#target}:set-credential-sources`, {
          version: this.#known.version,
          ...Object.fromEntries(sourceKinds.map((kind) => [kind, ids])),
        });
      } catch {
        return;
      }
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      this.#known = { version: Number(answer.body['version']), ids };
      this.#pending = undefined;
      acknowledged();
    }
  }

  async reconcile(client: Client): Promise<void> {
    const stored = (await client.get(`/v1/targets/${this.#target}`)).body;
    const [ids, ...others] = sourceKinds.map((kind) => stored[kind]);
    expect(others).toEqual([ids, ids]);
    const possible = [this.#known];
    if (this.#pending !== undefined) possible.push({ version: this.#known.version + 1, ids: this.#pending });
    const found = possible.find((one) => one.version === stored['version']);
    expect(found?.ids).toEqual(ids);
    this.#known = found ?? this.#known;
    this.#pending = undefined;
  }
}

test('loses no acknowledged write and applies none by halves when killed while writing', async () => {
  using folder = temporaryFolder();
  const crew = Array.from({ length: writers }, (_, n) => new Writer(`writer-${n}`));
  let linker: Linker | undefined;
  let token: string | undefined;
  let acknowledged = 0;
  let unanswered = 0;
  for (let round = 0; round < rounds; round++) {
    const address = await start(folder.path);
    token ??= (await signIn({ address }, 'admin')).token;
    const client = clientOf({ address }, token);
    const listed = await client.get('/v1/targets?scope_id=p_1234567890');
    for (const writer of crew) writer.reconcile(itemsOf(listed));
    await linker?.reconcile(client);
    linker ??= await Linker.create(client);

    // Kills at a different moment in each round: after this many acknowledgements, while more writes are pending. The
    // first moment is late enough for deletes to have happened.
    const moment = 1 + ((80 + round * 7) % 120);
    let reached = 0;
    const enough = Promise.withResolvers<void>();
    const work = [...crew, linker].map((writer) =>
      writer.run(client, () => {
        acknowledged++;
        if (++reached === moment) enough.resolve();
      }),
    );
    await enough.promise;
    await killHard();
    await Promise.all(work);
    unanswered += crew.filter((writer) => writer.pending !== undefined).length;
  }
  const address = await start(folder.path);
  const client = clientOf({ address }, token);
  const stored = itemsOf(await client.get('/v1/targets?scope_id=p_1234567890'));
  for (const writer of crew) writer.reconcile(stored);
  await linker?.reconcile(client);
  expect(acknowledged).toBeGreaterThan(rounds * 10);
  expect(unanswered).toBeGreaterThan(rounds);
}, 300_000);

test('finishes the requests it has begun, exits cleanly and keeps acknowledged writes when stopped under load', async () => {
  using folder = temporaryFolder();
  const main = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      GATEHOUSE_DATA: folder.path,
      GATEHOUSE_ACCESS_PORT: '0',
      GATEHOUSE_ADMIN_PASSWORD: testPassword,
    },
  });
  onTestFinished(() => void main.kill('SIGKILL'));
  const address = Promise.withResolvers<string>();
  createInterface({ input: main.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as { event: string; address?: string };
    if (entry.event === 'listening') address.resolve(entry.address ?? '');
  });
  const server = { address: await address.promise };
  const client = await signIn(server, 'admin');

  const acknowledged: string[] = [];
  const enough = Promise.withResolvers<void>();
  const write = async (worker: number): Promise<void> => {
    for (let n = 0; ; n++) {
      try {
        const name = `w${worker} ${n}`;
        const answer = await client.post('/v1/targets', { scope_id: 'p_1234567890', type: 'ssh', name });
        expect(answer.status).toBe(200);
        acknowledged.push(name);
        if (acknowledged.length === 100) enough.resolve();
      } catch (error) {
        // The connection is refused, or closed while idle; no answer is cut short.
        expect(error).toBeInstanceOf(TypeError);
        return;
      }
    }
  };
  const work = Array.from({ length: writers }, (_, worker) => write(worker));
  await enough.promise;
  const exit = once(main, 'exit');
  main.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  await Promise.all(work);

  const store = openDatabase(folder.path);
  const stored = new Set(
    targetStore(store)
      .page('all', undefined, 100_000)
      .items.map((target) => target.name),
  );
  await store.close();
  for (const name of acknowledged) expect(stored.has(name)).toBe(true);
});
