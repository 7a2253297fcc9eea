import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, WireAnswer } from '../../testing/client.ts';
import { as } from '../../testing/people.ts';
import { startServer } from '../../testing/server.ts';
import type { TestServer } from '../../testing/server.ts';

/**
 * A simple in-memory model of the engine, which must give the same answers as the server to any sequence of requests.
 */
interface ModelVersion {
  readonly created: number;
  deletion: number | undefined;
  destroyed: boolean;
  readonly data: Json;
}
interface ModelKey {
  readonly created: number;
  updated: number;
  current: number;
  oldest: number;
  readonly versions: Map<number, ModelVersion>;
  settings: Settings;
  notes: Readonly<Record<string, string>>;
}
interface Settings {
  max_versions: number;
  cas_required: boolean;
  delete_version_after: number;
}
type Json = Readonly<Record<string, unknown>>;
type Said = readonly [status: number, body: unknown];

const none: Settings = { max_versions: 0, cas_required: false, delete_version_after: 0 };
const silence: Said = [204, undefined];
const nothing: Said = [404, { errors: [] }];
const nobody: Said = [404, undefined];
const refused = (message: string): Said => [400, { errors: [message] }];
const mismatch = refused('check-and-set parameter did not match the current version');
const time = (ms: number | undefined): string =>
  ms === undefined ? '' : new Date(ms).toISOString().replace('Z', '000000Z');
const notesWire = (notes: Json): unknown => (Object.keys(notes).length === 0 ? null : notes);

function merge(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const result: Record<string, unknown> = isMap(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merge(result[name], value);
  }
  return result;
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function structure(value: Json, depth: number): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isMap(inner) && Object.keys(inner).length > 0 && depth !== 1 ? structure(inner, depth - 1) : null,
    ]),
  );
}

class Model {
  readonly keys = new Map<string, ModelKey>();
  engine: Settings = { ...none };

  do(command: Command, now: number): Said {
    const { path } = command;
    const key = this.keys.get(path);
    switch (command.kind) {
      case 'write': {
        const cas = this.#checkCas(key, command.cas);
        return cas ?? this.#add(path, key, command.data, now);
      }
      case 'patch': {
        const current = key?.versions.get(key.current);
        if (key === undefined || current === undefined) return nobody;
        const cas = this.#checkCas(key, command.cas);
        if (cas !== undefined) return cas;
        if (!readable(current, now)) return [404, wire(key, key.current)];
        return this.#add(path, key, merge(current.data, command.data) as Json, now);
      }
      case 'read':
      case 'subkeys': {
        const number = command.version === 0 ? (key?.current ?? 0) : command.version;
        const version = key?.versions.get(number);
        if (key === undefined || version === undefined) return nothing;
        const member = command.kind === 'read' ? 'data' : 'subkeys';
        const value = command.kind === 'read' ? version.data : structure(version.data, command.depth);
        const ok = readable(version, now);
        return [ok ? 200 : 404, { [member]: ok ? value : null, metadata: wire(key, number) }];
      }
      case 'delete latest':
        return this.#change(key, key === undefined ? [] : [key.current], now, 'delete');
      case 'delete':
      case 'undelete':
      case 'destroy':
        if (command.versions.length === 0)
          return refused(`${command.kind === 'destroy' ? 'no' : 'No'} version number provided`);
        return this.#change(key, command.versions, now, command.kind);
      case 'delete metadata':
        this.keys.delete(path);
        return silence;
      case 'write metadata': {
        const target = key ?? this.#make(path, now);
        target.settings = { ...target.settings, ...command.settings };
        if (command.notes !== undefined) target.notes = command.notes;
        target.updated = now;
        return silence;
      }
      case 'patch metadata':
        if (key === undefined) return nobody;
        key.settings = { ...key.settings, ...command.settings };
        if (command.notes !== undefined)
          key.notes = merge(key.notes, command.notes) as Record<string, string>;
        key.updated = now;
        return silence;
      case 'read metadata':
        return key === undefined ? nothing : [200, metadataWire(key)];
      case 'list': {
        const names = new Set<string>();
        for (const known of this.keys.keys()) {
          if (!known.startsWith(`${path}/`)) continue;
          const below = known.slice(path.length + 1);
          const slash = below.indexOf('/');
          names.add(slash === -1 ? below : below.slice(0, slash + 1));
        }
        return names.size === 0 ? nothing : [200, { keys: [...names].sort() }];
      }
      case 'configure':
        this.engine = { ...this.engine, ...command.settings };
        return silence;
      case 'wait':
        return silence;
    }
  }

  #checkCas(key: ModelKey | undefined, cas: number | undefined): Said | undefined {
    if (cas !== undefined) return cas === (key?.current ?? 0) ? undefined : mismatch;
    return (key?.settings.cas_required ?? false) || this.engine.cas_required
      ? refused('check-and-set parameter required for this call')
      : undefined;
  }

  #make(path: string, now: number): ModelKey {
    const key: ModelKey = {
      created: now,
      updated: now,
      current: 0,
      oldest: 0,
      versions: new Map(),
      settings: none,
      notes: {},
    };
    this.keys.set(path, key);
    return key;
  }

  #deletion(key: ModelKey, now: number): number | undefined {
    const after = [key.settings.delete_version_after, this.engine.delete_version_after].filter((s) => s > 0);
    return after.length === 0 ? undefined : now + Math.min(...after) * 1000;
  }

  #add(path: string, known: ModelKey | undefined, data: Json, now: number): Said {
    const key = known ?? this.#make(path, now);
    key.current++;
    key.updated = now;
    key.versions.set(key.current, {
      created: now,
      deletion: this.#deletion(key, now),
      destroyed: false,
      data,
    });
    const most = key.settings.max_versions || this.engine.max_versions || 10;
    while (key.versions.size > most) {
      key.versions.delete(Math.min(...key.versions.keys()));
      key.oldest = Math.min(...key.versions.keys());
    }
    return [200, wire(key, key.current)];
  }

  #change(
    key: ModelKey | undefined,
    versions: readonly number[],
    now: number,
    kind: 'delete' | 'undelete' | 'destroy',
  ): Said {
    for (const number of versions) {
      const version = key?.versions.get(number);
      if (key === undefined || version === undefined || version.destroyed) continue;
      if (kind === 'delete' && !readable(version, now)) continue;
      if (kind === 'delete') version.deletion = now;
      if (kind === 'undelete') version.deletion = this.#deletion(key, now);
      if (kind === 'destroy') version.destroyed = true;
      key.updated = now;
    }
    return silence;
  }
}

function readable(version: ModelVersion, now: number): boolean {
  return !version.destroyed && (version.deletion === undefined || version.deletion > now);
}

function wire(key: ModelKey, number: number): unknown {
  const version = key.versions.get(number);
  return {
    created_time: time(version?.created),
    custom_metadata: notesWire(key.notes),
    deletion_time: time(version?.deletion),
    destroyed: version?.destroyed,
    version: number,
  };
}

function metadataWire(key: ModelKey): unknown {
  return {
    cas_required: key.settings.cas_required,
    created_time: time(key.created),
    current_version: key.current,
    custom_metadata: notesWire(key.notes),
    delete_version_after: `${key.settings.delete_version_after}s`,
    max_versions: key.settings.max_versions,
    oldest_version: key.oldest,
    updated_time: time(key.updated),
    versions: Object.fromEntries(
      [...key.versions].map(([number, version]) => [
        String(number),
        {
          created_time: time(version.created),
          deletion_time: time(version.deletion),
          destroyed: version.destroyed,
        },
      ]),
    ),
  };
}

const path = fc.constantFrom('d/a', 'd/a', 'd/b/c', 'd/b');
const value = fc.letrec<{ map: Json; any: unknown }>((tie) => ({
  map: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  any: fc.oneof({ maxDepth: 2 }, fc.constantFrom(null, 1, 'text', {}, [1, { a: null }]), tie('map')),
}));
/** Rarely set, because most numbers match no version. */
const cas = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.integer({ min: 0, max: 4 }));
const version = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5 }));
const versions = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 });
const settings = fc.record(
  {
    max_versions: fc.integer({ min: 0, max: 3 }),
    cas_required: fc.constantFrom(false, false, true),
    delete_version_after: fc.constantFrom(0, 5, 9),
  },
  { requiredKeys: [] },
);
const note = fc.constantFrom('x', 'y');
const notes = fc.option(fc.dictionary(fc.constantFrom('k', 'l'), note, { noNullPrototype: true }), {
  nil: undefined,
});
const notesPatch = fc.option(
  fc.dictionary(fc.constantFrom('k', 'l'), fc.option(note), { noNullPrototype: true }),
  { nil: undefined },
);
const of = <const Kind extends string>(kind: Kind) => ({ kind: fc.constant(kind), path });
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...of('write'), data: value.map, cas }) },
  { weight: 2, arbitrary: fc.record({ ...of('patch'), data: value.map, cas }) },
  { weight: 3, arbitrary: fc.record({ ...of('read'), version }) },
  { weight: 2, arbitrary: fc.record({ ...of('subkeys'), version, depth: fc.nat(3) }) },
  fc.record({ ...of('delete latest') }),
  fc.record({ ...of('delete'), versions }),
  { weight: 2, arbitrary: fc.record({ ...of('undelete'), versions }) },
  fc.record({ ...of('destroy'), versions }),
  fc.record({ ...of('delete metadata') }),
  fc.record({ ...of('write metadata'), settings, notes }),
  fc.record({ ...of('patch metadata'), settings, notes: notesPatch }),
  { weight: 2, arbitrary: fc.record({ ...of('read metadata') }) },
  fc.record({ kind: fc.constant('list' as const), path: fc.constantFrom('d', 'd/a', 'd/b') }),
  fc.record({ ...of('configure'), settings }),
  fc.record({ ...of('wait'), seconds: fc.integer({ min: 0, max: 6 }) }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startServer();
  client = await as(server, 'administrator');
});
afterAll(() => server[Symbol.asyncDispose]());

function ask(mount: string, command: Command): Promise<WireAnswer> {
  const at = (kind: string): string => `${mount}/${kind}/${command.path}`;
  switch (command.kind) {
    case 'write':
    case 'patch': {
      const body = {
        data: command.data,
        ...(command.cas !== undefined && { options: { cas: command.cas } }),
      };
      return command.kind === 'write' ? client.write(at('data'), body) : client.patch(at('data'), body);
    }
    case 'read':
      return client.read(`${at('data')}?version=${command.version}`);
    case 'subkeys':
      return client.read(`${at('subkeys')}?version=${command.version}&depth=${command.depth}`);
    case 'delete latest':
      return client.delete(at('data'));
    case 'delete':
    case 'undelete':
    case 'destroy':
      return client.write(at(command.kind), { versions: command.versions });
    case 'delete metadata':
      return client.delete(at('metadata'));
    case 'write metadata':
    case 'patch metadata': {
      const body = {
        ...command.settings,
        ...(command.notes !== undefined && { custom_metadata: command.notes }),
      };
      return command.kind === 'write metadata'
        ? client.write(at('metadata'), body)
        : client.patch(at('metadata'), body);
    }
    case 'read metadata':
      return client.read(at('metadata'));
    case 'list':
      return client.list(at('metadata'));
    case 'configure':
      return client.write(`${mount}/config`, command.settings);
    case 'wait':
      server.clock.advance(command.seconds * 1000);
      return client.write(`${mount}/config`, {});
  }
}

const deep = process.env['GATEHOUSE_DEEP'] === '1';
/** In milliseconds. */
const timeout = deep ? 1_800_000 : 60_000;

let mounts = 0;
test('answers random sequences of operations as the model does', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60, size: 'max' }), async (commands) => {
      const mount = `model-${++mounts}`;
      expect((await client.write(`sys/mounts/${mount}`, { type: 'kv' })).status).toBe(204);
      const model = new Model();
      for (const command of commands) {
        const answer = await ask(mount, command);
        const said: Said = [
          answer.status,
          answer.text === '' ? undefined : (answer.body['data'] ?? answer.body),
        ];
        expect({ command, said }).toEqual({ command, said: model.do(command, server.clock.now()) });
      }
    }),
    { numRuns: deep ? 3000 : 60 },
  );
});
