import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { consoleHeader } from '@gatehouse/api-types/contract';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import { StartError } from '@gatehouse/service-kit/start-error';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signIn } from './access-client.ts';
import { startStack } from './stack.ts';

const password = 'a password for tests';

let dataDir: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-stack-'));
});
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

/** Opens a stack that a test closes however it ends. */
async function open(options: Partial<Parameters<typeof startStack>[0]> = {}) {
  const stack = await startStack({
    dataDir,
    adminPassword: password,
    checkAnswers: true,
    drainMs: 500,
    ...options,
  });
  return { ...stack, [Symbol.asyncDispose]: () => stack.close() };
}

/** Signs in at the console. Resolves to the status. */
async function signInAtConsole(consoleUrl: string): Promise<number> {
  const response = await fetch(`${consoleUrl}/api/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: consoleUrl,
      [consoleHeader.name]: consoleHeader.value,
    },
    body: JSON.stringify({
      environment: 'local',
      service: 'access',
      credentials: { method: 'password', login_name: 'admin', password },
    }),
  });
  return response.status;
}

/** Signs a user in at the console. Resolves to the answer, and a function that requests something with the session. */
async function signedIn(consoleUrl: string, login_name: string, service: string) {
  const headers = {
    'content-type': 'application/json',
    [consoleHeader.name]: consoleHeader.value,
    origin: consoleUrl,
  };
  const credentials = { method: 'password', login_name, password };
  const answer = await fetch(`${consoleUrl}/api/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ environment: 'local', service, credentials }),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const send = (path: string, body?: object): Promise<Response> =>
    fetch(`${consoleUrl}${path}`, {
      headers: { ...headers, cookie },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  return { answer, send };
}

/** Signs a user in at the console. Resolves to a function for the status of a request with the session. */
async function browse(...who: Parameters<typeof signedIn>) {
  const { send } = await signedIn(...who);
  return async (path = '/api/session', body?: object): Promise<number> => (await send(path, body)).status;
}

const health = async (consoleUrl: string): Promise<number> => (await fetch(`${consoleUrl}/healthz`)).status;

/** The console remembers a service's state for some seconds. */
const slow = { timeout: 30_000 };

describe('the stack', () => {
  it("serves the console and the access controller's own clients, with the well-known records", async () => {
    await using stack = await open();
    expect((await fetch(`${stack.consoleUrl}/healthz`)).status).toBe(200);
    expect(await signInAtConsole(stack.consoleUrl)).toBe(200);

    const [environment] = stack.environments;
    const client = await signIn(environment?.access.url ?? '', 'admin', password);
    expect(await client.read('targets', 'ttcp_1234567890')).toMatchObject({ address: '127.0.0.1' });
    expect(await client.read('scopes', 'p_1234567890')).toMatchObject({ id: 'p_1234567890' });
  });

  it.each(['disabled', 'removed', 'given another password'])(
    'ends the sessions of a user who is %s, and no others',
    async (what) => {
      await using stack = await open();
      const ada = await stack.accounts.create({ loginName: 'ada', password, roles: { boxes: 'operator' } });
      const [hers, his] = [
        await browse(stack.consoleUrl, 'ada', 'boxes'),
        await browse(stack.consoleUrl, 'admin', 'access'),
      ];
      expect([await hers(), await his()]).toEqual([200, 200]);
      if (what === 'disabled') await stack.accounts.update(ada.id, ada.version, { disabled: true });
      else if (what === 'removed') await stack.accounts.remove(ada.id);
      else await stack.accounts.setPassword(ada.id, 'another password');
      await expect.poll(() => hers()).toBe(401);
      expect(await his()).toBe(200);
      await expect.poll(() => stack.accounts.sessionsToEnd()).toEqual([]);
    },
  );

  it('says in which services an account has no role, until it has one', async () => {
    await using stack = await open();
    const roles = { access: null, secrets: 'read-only', boxes: null, modules: null } as const;
    const ada = await stack.accounts.create({ loginName: 'ada', password, roles });
    for (const service of ['boxes', 'modules']) {
      const { answer } = await signedIn(stack.consoleUrl, 'ada', service);
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'no-access', service }]);
    }
    const { send } = await signedIn(stack.consoleUrl, 'ada', 'access');
    const states = async () => {
      const { connections } = (await (await send('/api/connections')).json()) as {
        connections: readonly { service: string; state: string }[];
      };
      return Object.fromEntries(connections.map(({ service, state }) => [service, state]));
    };
    expect(await states()).toEqual({
      access: 'no-access',
      secrets: 'connected',
      boxes: 'no-access',
      modules: 'no-access',
    });
    expect(await (await send('/api/environments/local/boxes/search')).json()).toMatchObject({
      code: 'no-access',
      detail:
        'Your account has no role in the box registry. Ask an administrator for one, then connect again.',
    });
    // The access controller signs in accounts without a role too.
    const targets = '/api/environments/local/access/targets?scope_id=global';
    expect(await (await send(targets)).json()).toMatchObject({ code: 'no-access', service: 'access' });
    const credentials = { method: 'password', login_name: 'ada', password };
    const connect = async (service: string) =>
      (await send(`/api/environments/local/connections/${service}`, { credentials })).status;
    expect(await connect('modules')).toBe(403);

    const wanted = { access: 'read-only', boxes: 'read-only' } as const;
    await stack.accounts.update(ada.id, ada.version, { roles: wanted });
    expect(await connect('boxes')).toBe(200);
    expect(await states()).toMatchObject({ access: 'connected', boxes: 'connected', modules: 'no-access' });
    expect((await send('/api/environments/local/boxes/search')).status).toBe(200);
  });

  it("ends a user's sessions at the start if their account changed just before a crash", async () => {
    const first = await open();
    const port = Number(new URL(first.consoleUrl).port);
    const { id } = await first.accounts.create({ loginName: 'ada', password, roles: { boxes: 'operator' } });
    const hers = await browse(first.consoleUrl, 'ada', 'boxes');
    const his = await browse(first.consoleUrl, 'admin', 'access');
    const body = { current_password: password, new_password: 'my own password' };
    expect(await his('/api/environments/local/access/own-password', body)).toBe(204);
    const ofServices = ['access/people', 'secrets/mounts', 'boxes/search', 'modules/search'];
    for (const one of ofServices)
      expect([one, await his(`/api/environments/local/${one}`)]).toEqual([one, 200]);
    await expect.poll(() => first.accounts.sessionsToEnd()).toEqual([]);
    await first.close();
    // Nobody hears of this change, as if the process ended here.
    const accounts = openAccounts({ file: path.join(dataDir, 'accounts.db') });
    await accounts.setPassword(id, 'another password');
    await accounts.close();

    await using second = await open({ port });
    expect([await hers(), await his()]).toEqual([401, 200]);
    expect(second.accounts.sessionsToEnd()).toEqual([]);
  });

  it('is unhealthy while a service is down, and healthy with its stored data when the service is back', async () => {
    await using stack = await open();
    const access = stack.environments[0]?.access;
    const client = await signIn(access?.url ?? '', 'admin', password);
    const scope = await client.create('scopes', { scope_id: 'o_1234567890', name: 'Kept' });

    await access?.stop();
    await access?.stop();
    await expect.poll(() => health(stack.consoleUrl), slow).toBe(503);

    await access?.start();
    await access?.start();
    await expect.poll(() => health(stack.consoleUrl), slow).toBe(200);
    expect(await client.read('scopes', scope.id)).toMatchObject({ name: 'Kept' });
  });

  it('keeps everything over a restart, including the password', async () => {
    const first = await startStack({ dataDir });
    const generated = first.admin?.password ?? '';
    await first.close();
    await first.close();

    await using second = await open();
    expect(second.admin?.password).toBeUndefined();
    const url = second.environments[0]?.access.url ?? '';
    await expect(signIn(url, 'admin', password)).rejects.toThrow('401');
    await signIn(url, 'admin', generated);
  });

  it('reports a missing image store in its health, and serves the rest', slow, async () => {
    await using stack = await open();
    fs.rmSync(path.join(dataDir, 'box-images'), { recursive: true });
    await expect
      .poll(async () => (await fetch(`${stack.consoleUrl}/healthz`)).json(), { timeout: 20_000 })
      .toEqual({ status: 'degraded', problems: ['boxes-store-unreachable'] });
    expect(await signInAtConsole(stack.consoleUrl)).toBe(200);
  });

  it('refuses a data folder that another stack has taken', async () => {
    await using stack = await open();
    await expect(startStack({ dataDir })).rejects.toThrow(/^The data folder .* is in use/);
    expect((await fetch(`${stack.consoleUrl}/healthz`)).status).toBe(200);
  });

  it.each(['port', 'accessPort'] as const)(
    'refuses a taken %s in one line, and releases everything else',
    async (which) => {
      const other = net.createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const address = other.address();
      const taken = typeof address === 'object' && address !== null ? address.port : 0;
      try {
        const options =
          which === 'port'
            ? { port: taken }
            : {
                environments: [
                  { id: 'local', name: 'Local', kind: 'development', accessPort: taken } as const,
                ],
              };
        const refusal = await startStack({ dataDir, ...options }).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(StartError);
        expect(String(refusal)).toMatch(
          which === 'port' ? /is in use.*GATEHOUSE_PORT/ : /is in use.*GATEHOUSE_ACCESS_PORT/,
        );
      } finally {
        other.close();
      }
      await (await startStack({ dataDir })).close();
    },
  );

  it('administers several environments with the same users', async () => {
    await using stack = await open({
      environments: [
        { id: 'local', name: 'Local', kind: 'development', accessPort: 0 },
        { id: 'production', name: 'Production', kind: 'production', accessPort: 0 },
      ],
    });
    const [local, production] = stack.environments;
    const here = await signIn(local?.access.url ?? '', 'admin', password);
    const there = await signIn(production?.access.url ?? '', 'admin', password);
    const scope = await here.create('scopes', { scope_id: 'o_1234567890', name: 'Only here' });
    await expect(there.read('scopes', scope.id)).rejects.toThrow('404');
  });

  it('leaves no socket behind', async () => {
    const stack = await startStack({ dataDir });
    const socket = stack.environments[0]?.access.socketPath ?? '';
    expect(fs.existsSync(socket)).toBe(true);
    await stack.close();
    expect(fs.existsSync(path.dirname(socket))).toBe(false);
  });
});
