import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import { consoleHeader } from '@gatehouse/api-types/contract';
import { cheapHashing } from '@gatehouse/service-kit/testing/test-accounts';
import { expect, test } from 'vitest';
import { startStack } from './stack.ts';

const password = 'a password for tests';

interface Remote extends AsyncDisposable {
  /** Signs in at the console, behind a proxy that adds the address. Resolves to the status. */
  signIn(service: ServiceName, from: string, login_name: string, word?: string): Promise<number>;
}

/** Starts services that trust these addresses, and a console elsewhere that reaches their ports from 127.0.0.1. */
async function startRemote(forwardedFrom: readonly string[]): Promise<Remote> {
  await using opening = new AsyncDisposableStack();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-remote-'));
  opening.defer(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const own = { adminPassword: password, drainMs: 500, hashing: cheapHashing };
  const there = await startStack({
    ...own,
    dataDir: path.join(dataDir, 'services'),
    inFront: { names: [], forwardedFrom },
  });
  opening.defer(() => there.close());
  const at = (service: ServiceName) => ({
    endpoint: { kind: 'url', url: new URL(there.environments[0]?.[service].url ?? '') } as const,
    signIn: ['password'] as const,
  });
  const here = await startStack({
    ...own,
    dataDir: path.join(dataDir, 'console'),
    config: {
      console: { host: '127.0.0.1', port: 0, allowedHosts: [], trustedProxies: ['127.0.0.1'] },
      environments: [
        {
          id: 'there',
          name: 'There',
          kind: 'development',
          sharedAccounts: false,
          services: {
            access: at('access'),
            secrets: at('secrets'),
            boxes: at('boxes'),
            modules: at('modules'),
          },
        },
      ],
      keys: undefined,
    },
  });
  opening.defer(() => here.close());
  const running = opening.move();
  return {
    async signIn(service, from, login_name, word = 'wrong') {
      const answer = await fetch(`${here.consoleUrl}/api/session`, {
        method: 'POST',
        headers: {
          [consoleHeader.name]: consoleHeader.value,
          'content-type': 'application/json',
          origin: here.consoleUrl,
          'x-forwarded-proto': 'https',
          // Clients may send any addresses before the one that the proxy adds; these don't count.
          'x-forwarded-for': `198.51.100.7, ${from}`,
        },
        body: JSON.stringify({
          environment: 'there',
          service,
          credentials: { method: 'password', login_name, password: word },
        }),
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Tries unknown names at all services in turn, 14 from each address, which the console itself allows. */
async function guess(remote: Remote, addresses: readonly string[]): Promise<void> {
  for (const from of addresses) {
    for (let n = 0; n < 14; n++) {
      const service = serviceNames[n % serviceNames.length] ?? 'access';
      await remote.signIn(service, from, `nobody-${n}`);
    }
  }
}

const many = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];

test("services count guesses by client address if the console's address is trusted", async () => {
  await using remote = await startRemote(['127.0.0.1']);
  await guess(remote, many);
  // Twelve guesses for one account; the console allows four from each address.
  for (const from of many)
    for (let n = 0; n < 4; n++) expect(await remote.signIn('boxes', from, 'admin')).toBe(401);
  for (const service of serviceNames)
    expect([service, await remote.signIn(service, '198.51.100.7', 'admin', password)]).toEqual([
      service,
      200,
    ]);
});

test('otherwise all guesses count for the console, and fourteen unknown names from one client lock nobody out', async () => {
  await using remote = await startRemote(['127.0.0.2']);
  await guess(remote, ['203.0.113.1']);
  for (const service of serviceNames)
    expect([service, await remote.signIn(service, '198.51.100.7', 'admin', password)]).toEqual([
      service,
      200,
    ]);
  await guess(remote, many);
  expect(await remote.signIn('modules', '198.51.100.7', 'somebody')).toBe(429);
  // An account that has signed in through the console before isn't locked out by guesses of other names.
  expect(await remote.signIn('modules', '198.51.100.7', 'admin', password)).toBe(200);
});
