import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endpoints } from '@gatehouse/api-types/console/endpoints';
import { createLog } from '@gatehouse/service-kit/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxesClient } from '../boxes-client.ts';
import { signInToModules } from '../modules-client.ts';
import { signInToSecrets } from '../secrets-client.ts';
import { startStack } from '../stack.ts';
import type { Stack } from '../stack.ts';
import { signInAtConsole } from './console-client.ts';
import type { ConsoleClient } from './console-client.ts';
import { createDemo, demoEnvironments } from './demo.ts';
import type { Demo } from './demo.ts';
import { story } from './story.ts';

const password = 'a password for tests';
const params = { environment: 'production' };

/** All logged lines. */
const logged: string[] = [];
let dataDir: string;
let stack: Stack | undefined;
let demo: Demo | undefined;
let console: ConsoleClient;
beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-demo-test-'));
  const plugins = path.join(dataDir, 'plugins');
  demo = createDemo(plugins);
  stack = await startStack({
    dataDir,
    environments: demoEnvironments({ accessPort: 0, secretsPort: 0, boxesPort: 0, modulesPort: 0 }, plugins),
    prepare: demo.prepare,
    example: demo.link,
    adminPassword: password,
    // A key ring outside the data folder: the prepared data must be readable with it.
    keyRing: Buffer.alloc(32, 7).toString('base64'),
    checkAnswers: true,
    log: (service) =>
      createLog({ service, level: 'info', destination: { write: (line) => void logged.push(line) } }),
    drainMs: 500,
  });
  console = await signInAtConsole(stack.consoleUrl, {
    ...params,
    loginName: 'admin',
    password,
    address: '127.0.0.1',
  });
}, 120_000);
afterAll(async () => {
  await stack?.close();
  await demo?.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

describe('the story', () => {
  it('is in order, and ends before the demo starts', () => {
    const times = story.map(({ ago }) => ago);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times.at(-1)).toBeGreaterThan(5);
  });
});

describe('the demo', () => {
  it('is prepared by requests without warnings or errors', () => {
    expect(logged.filter((line) => line.includes('"service":"access"'))).not.toEqual([]);
    expect(logged.filter((line) => /"level":[456]0|Error/.test(line))).toEqual([]);
  });

  it('has a tour for its administrator, to records that exist', async () => {
    const { preferences } = await console.call(endpoints.preferences.get, {});
    const tour = preferences['tour'] as { readonly href: string; readonly detail: string }[];
    const hrefs = tour.map(({ href }) => href);
    expect(hrefs).toHaveLength(4);
    const id = /targets\/(\w+)\/edit/.exec(hrefs[0] ?? '')?.[1] ?? '';
    const target = await console.call(endpoints.targets.get, { params: { ...params, id } });
    expect(target.name).toBe('postgres-1 eu-west');
    expect(tour[0]?.detail).toContain(target.name);
    const filter = new URL(hrefs[1] ?? '', 'http://x').searchParams.get('filter') ?? '';
    const query = { scope_id: 'global', recursive: true, filter };
    const { items } = await console.call(endpoints.targets.list, { params, query });
    expect(items.length).toBeGreaterThan(0);
    expect(items.map((one) => one.id)).not.toContain(id);
  });

  it('has sessions of several users: live, canceled and expired', async () => {
    const query = { scope_id: 'global', recursive: true, include_terminated: true };
    const { items } = await console.call(endpoints.accessSessions.list, { params, query });
    const living = items.filter(({ status }) => status === 'pending');
    expect(new Set(living.map(({ user_name }) => user_name)).size).toBeGreaterThanOrEqual(3);
    for (const reason of ['canceled', 'timed out']) {
      expect(items.some(({ termination_reason }) => termination_reason === reason)).toBe(true);
    }
    expect(items.some(({ host_id }) => host_id !== '')).toBe(true);
  });

  it('has an unbroken audit trail of sign-ins, changes, a conflict and refusals, in chronological order', async () => {
    const { items } = await console.call(endpoints.activity.list, { params, query: { page_size: 500 } });
    const times = items.map(({ time }) => Date.parse(time));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[0]).toBeLessThanOrEqual(Date.now());
    const problems = new Set(items.map(({ problem }) => problem));
    expect([...problems]).toEqual(expect.arrayContaining([null, 'forbidden', 'conflict', 'sign-in-failed']));
    expect(items.filter(({ outcome }) => outcome === 'pending' || outcome === 'unknown')).toEqual([]);
    expect(new Set(items.map(({ address }) => address)).size).toBeGreaterThan(5);

    const verified = await console.call(endpoints.activity.verify, { params });
    expect(verified).toMatchObject({ intact: true, faults: [] });
    expect(verified.rows).toBeGreaterThan(100);
  });

  it('has secrets with months of versions, some of them deleted, and the authors of the last changes', async () => {
    const at = (mount: string, path: string) => ({ environment: 'production', mount, path });
    const rotated = await console.call(endpoints.secretMetadata.get, {
      params: at('secret', 'platform/ci/deploy-token'),
    });
    expect(rotated.versions.length).toBeGreaterThan(20);
    const span = rotated.versions.map(({ created_time }) => Date.parse(created_time));
    expect(Math.max(...span) - Math.min(...span)).toBeGreaterThan(80 * 24 * 3_600_000);
    const states = await Promise.all(
      [
        at('secret', 'data/warehouse/legacy-etl'),
        at('secret', 'platform/ci/registry-push'),
        at('people', 'tomasz.wrona/scratch'),
      ].map(async (params) =>
        (await console.call(endpoints.secretMetadata.get, { params })).versions
          .map(({ state }) => state)
          .join(' '),
      ),
    );
    expect(states).toEqual([
      'deleted deleted deleted',
      'readable destroyed readable',
      'deleted readable readable',
    ]);
    const using = await console.call(endpoints.credentialLibraries.targetsUsingSecret, {
      params,
      query: { mount: 'secret', path: 'commerce/checkout/orders-db' },
    });
    expect(using.items.map(({ name }) => name).toSorted()).toEqual([
      'postgres-1 eu-west',
      'postgres-2 eu-west',
    ]);
    const { items } = await console.call(endpoints.activity.list, { params, query: { page_size: 500 } });
    const actions = new Set(items.map(({ action }) => action));
    for (const action of ['secret.reveal', 'secret.patch', 'secret.restore', 'secret.delete']) {
      expect(actions).toContain(action);
    }
  });

  it("has a cloud role with an earlier server's parameters, to convert", async () => {
    const role = await console.call(endpoints.cloudRoles.get, {
      params: { ...params, mount: 'cloud', role: 'old-backup' },
    });
    expect(role).toMatchObject({ legacy: true, credential_type: 'iam_user,federation_token' });
  });

  it('has boxes of organizations with versions of every status, images, downloads, and private boxes', async () => {
    const found = await console.call(endpoints.boxes.search, { params, query: {} });
    const names = found.boxes.map(({ tag }) => tag);
    expect(names).toEqual(expect.arrayContaining(['base/ci-runner', 'base/debian-12', 'data/postgres-lab']));
    expect(new Set(found.boxes.map((one) => one.is_private))).toEqual(new Set([true, false]));
    const debian = await console.call(endpoints.boxes.get, {
      params: { ...params, username: 'base', name: 'debian-12' },
    });
    expect(debian.versions.map(({ version, status }) => `${version} ${status}`)).toEqual([
      '12.7.2 unreleased',
      '12.7.1 active',
      '12.7.0 active',
      '12.5.0 revoked',
    ]);
    expect(debian.downloads).toBeGreaterThan(100);
    const { daily } = await console.call(endpoints.boxes.downloads, {
      params: { ...params, username: 'base', name: 'debian-12' },
    });
    expect(daily?.length).toBeGreaterThan(20);
    expect(daily?.reduce((sum, { count }) => sum + count, 0)).toBe(debian.downloads);
    const made = debian.versions.map(({ created_time }) => Date.parse(created_time));
    expect(Math.max(...made) - Math.min(...made)).toBeGreaterThan(80 * 24 * 3_600_000);
    const hosted = debian.versions[1]?.providers.find(({ name }) => name === 'virtualbox');
    expect(hosted).toMatchObject({ available: true, size: 401 * 1024, downloads: 40 });
    const registry = boxesClient(stack?.environments[0]?.boxes.url ?? '', undefined);
    const { boxes } = await registry.read('/api/v2/search?provider=libvirt&architecture=arm64');
    expect(boxes).toMatchObject([
      {
        tag: 'base/ubuntu-24.04',
        current_version: {
          version: '2026.10.1',
          providers: [
            { name: 'hyperv', architecture: 'amd64' },
            { name: 'libvirt', architecture: 'amd64', default_architecture: true },
            { name: 'libvirt', architecture: 'arm64', default_architecture: false, downloads: 8 },
            { name: 'virtualbox', architecture: 'amd64' },
          ],
        },
      },
    ]);
    const { items } = await console.call(endpoints.activity.list, { params, query: { page_size: 500 } });
    const actions = new Set(items.map(({ action }) => action));
    for (const action of ['box.update', 'box-token.create', 'box-version.create', 'box-version.release']) {
      expect(actions).toContain(action);
    }
  });

  it('has modules with breaking upgrades, deprecated and revoked versions, and outdated consumers', async () => {
    const origin = stack?.environments[0]?.modules.url ?? '';
    const client = await signInToModules(origin, 'admin', password);
    const vpc = '/v1/modules/platform/vpc/aws';
    const { meta, modules } = await client.read('/v1/modules');
    expect([meta, modules]).toEqual([
      { limit: 15, current_offset: 0 },
      expect.arrayContaining([expect.objectContaining({ id: 'platform/vpc/aws/2.1.0', verified: true })]),
    ]);
    const inputsOf = async (version: string) => {
      const { root } = (await client.read(`${vpc}/${version}`)) as {
        root: { inputs: { name: string; required: boolean }[] };
      };
      return root.inputs.filter(({ required }) => required).map(({ name }) => name);
    };
    expect(await inputsOf('1.2.0')).toEqual(['cidr_block']);
    expect(await inputsOf('2.0.0')).toEqual(['availability_zones', 'cidr_block']);
    const states = await Promise.all(
      ['1.1.0', '1.2.0'].map(async (version) => (await client.read(`${vpc}/${version}`))['deprecation']),
    );
    expect(states).toEqual([
      expect.objectContaining({ state: 'revoked', replacement: '1.1.1' }),
      expect.objectContaining({ state: 'deprecated', replacement: '2.1.0' }),
    ]);
    const { consumers } = (await client.read(`${vpc}/consumers`)) as { consumers: { behind: number }[] };
    expect(consumers.some(({ behind }) => behind > 1)).toBe(true);
    const { data } = (await client.read('/v2/modules/platform/vpc/aws/downloads/daily')) as {
      data: { date: string }[];
    };
    expect(new Set(data.map(({ date }) => date)).size).toBeGreaterThan(10);
    const queue = await client.read('/v1/modules/commerce/queue/aws');
    expect(queue['reading']).toMatchObject({ state: 'unreadable', problems: [{ path: 'alarms.tf' }] });
    const staging = await fetch(`${stack?.environments[1]?.modules.url}/v1/modules`);
    expect(((await staging.json()) as { modules: unknown[] }).modules).toHaveLength(2);
  });

  it('has a primary with a filtered secondary, a secondary that never connected, and transitions', async () => {
    const primary = await console.call(endpoints.replication.getStatus, { params });
    expect(primary.mode === 'primary' && primary.secondaries).toMatchObject([
      { id: 'dublin', connection: 'disconnected', cluster_id: null },
      { id: 'staging', connection: 'connected' },
    ]);
    const { items } = await console.call(endpoints.replication.listTransitions, { params });
    expect(items?.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual(
      expect.arrayContaining([
        'secondary/promote done',
        'primary/demote done',
        'secondary/promote refused',
        'primary/enable done',
      ]),
    );
    const staging = await signInToSecrets(stack?.environments[1]?.secrets.url ?? '', 'ines.moreau', password);
    const mounts = Object.keys(await staging.read('sys/mounts'));
    expect(mounts).toContain('secret/');
    expect(mounts).not.toContain('people/');
  });

  it('has users of every role, one of them disabled', async () => {
    const { items } = await console.call(endpoints.people.list, { params, query: {} });
    expect(new Set(items.map(({ roles }) => roles?.access))).toEqual(
      new Set(['administrator', 'operator', 'read-only', null]),
    );
    expect(items.filter(({ disabled }) => disabled).map(({ login_name }) => login_name)).toEqual([
      'noor.haddad',
    ]);
  });
});
