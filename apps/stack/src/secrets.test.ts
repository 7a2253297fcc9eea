import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { consoleHeader } from '@gatehouse/api-types/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signInToSecrets } from './secrets-client.ts';
import { startStack } from './stack.ts';

const password = 'a password for tests';

let dataDir: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-stack-'));
});
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

it('one sign-in works for every embedded service; the secrets server answers its own clients and the console', async () => {
  const stack = await startStack({ dataDir, adminPassword: password, checkAnswers: true, drainMs: 500 });
  try {
    const { url } = stack.environments[0]?.secrets ?? { url: '' };
    const login = await fetch(`${url}/v1/auth/userpass/login/admin`, {
      method: 'POST',
      body: JSON.stringify({ password }),
    });
    const { auth } = (await login.json()) as { auth: { client_token: string } };
    const written = await fetch(`${url}/v1/secret/data/app/db`, {
      method: 'POST',
      headers: { 'x-vault-token': auth.client_token },
      body: '{"data":{"password":"s3cret"}}',
    });
    expect(written.status).toBe(200);

    const headers = {
      'content-type': 'application/json',
      origin: stack.consoleUrl,
      [consoleHeader.name]: consoleHeader.value,
    };
    const signIn = await fetch(`${stack.consoleUrl}/api/session`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        environment: 'local',
        service: 'access',
        credentials: { method: 'password', login_name: 'admin', password },
      }),
    });
    const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const secret = `${stack.consoleUrl}/api/environments/local/secrets/mounts/secret/secrets/app%2Fdb`;
    const seen = await (await fetch(secret, { headers: { ...headers, cookie } })).json();
    expect(seen).toMatchObject({ revision: '1', version: { structure: '{"password":null}' } });
    expect(JSON.stringify(seen)).not.toContain('s3cret');
    const version = expect.stringMatching(/^\d/);
    const connections = await fetch(`${stack.consoleUrl}/api/connections`, {
      headers: { ...headers, cookie },
    });
    expect(await connections.json()).toMatchObject({
      connections: [
        { service: 'access', state: 'connected', version },
        { service: 'secrets', state: 'connected', version, account: { name: 'admin' } },
        { service: 'boxes', state: 'connected', version, account: { name: 'admin' } },
        { service: 'modules', state: 'connected', version, account: { name: 'admin' } },
      ],
    });
  } finally {
    await stack.close();
  }
});

it('the secrets server of one environment replicates that of another', async () => {
  const place = { kind: 'development', accessPort: 0 } as const;
  const stack = await startStack({
    dataDir,
    adminPassword: password,
    environments: [
      { ...place, id: 'one', name: 'One' },
      { ...place, id: 'two', name: 'Two' },
    ],
    drainMs: 500,
  });
  try {
    const [one = '', two = ''] = stack.environments.map(({ secrets }) => secrets.url);
    const signIn = (origin: string) => signInToSecrets(origin, 'admin', password);
    const replication = 'sys/replication/performance';
    const primary = await signIn(one);
    await primary.write('secret/data/app/db', { data: { n: 1 } });
    await primary.write(`${replication}/primary/enable`, {});
    const activation = await primary.write(`${replication}/primary/secondary-token`, { id: 'two' });
    const { token } = activation['wrap_info'] as { readonly token: string };
    // The token names the port on which its primary listens.
    await (await signIn(two)).write(`${replication}/secondary/enable`, { token });
    const secondary = await signIn(two);
    await expect
      .poll(() => secondary.read('secret/data/app/db').catch(() => undefined))
      .toMatchObject({ data: { n: 1 } });
    expect(await secondary.read(`${replication}/status`)).toMatchObject({
      primaries: [expect.objectContaining({ api_address: one })],
    });
  } finally {
    await stack.close();
  }
});
