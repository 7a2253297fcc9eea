import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { endpoints } from '@gatehouse/api-types/console/endpoints';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { signInAtConsole } from './demo/console-client.ts';
import { createExample } from './example-secrets.ts';
import { startStack } from './stack.ts';

const password = 'a password for tests';
const environment = 'local';

test('only the first completed start creates a target with a credential from the secrets server', async () => {
  using folder = temporaryFolder();
  let secretsPort = 0;
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port: taken } = other.address() as AddressInfo;
  const failed = startStack({
    dataDir: folder.path,
    environments: [{ id: environment, name: 'Local', kind: 'development', accessPort: 0, boxesPort: taken }],
    adminPassword: password,
    example: createExample,
  });
  await expect(failed).rejects.toThrow('GATEHOUSE_BOXES_PORT');
  other.close();
  for (const start of ['first', 'second']) {
    const stack = await startStack({
      dataDir: folder.path,
      environments: [{ id: environment, name: 'Local', kind: 'development', accessPort: 0, secretsPort }],
      adminPassword: password,
      checkAnswers: true,
      drainMs: 500,
      example: createExample,
    });
    secretsPort = Number(new URL(stack.environments[0]?.secrets.url ?? '').port);
    try {
      const visitor = { environment, loginName: 'admin', password, address: '127.0.0.1' };
      const person = await signInAtConsole(stack.consoleUrl, visitor);
      const query = { scope_id: 'global', recursive: true, filter: '"/item/name" == "Orders database"' };
      const { items } = await person.call(endpoints.targets.list, { params: { environment }, query });
      expect([start, items.map(({ name }) => name)]).toEqual([start, ['Orders database']]);
      const id = items[0]?.id ?? '';
      const { credentials } = await person.call(endpoints.accessSessions.authorize, {
        params: { environment, id },
        body: {},
      });
      expect(credentials[0]?.credential).toEqual({
        username: 'orders_app',
        password: expect.stringMatching(/^[\w-]{24}$/) as unknown,
      });
      if (start === 'second') continue;
      const secret = { mount: 'secret', path: 'databases/orders' };
      const target = await person.call(endpoints.targets.get, { params: { environment, id } });
      expect(target.brokered_credential_sources).toMatchObject([{ name: 'Orders database', secret }]);
      const using = await person.call(endpoints.credentialLibraries.targetsUsingSecret, {
        params: { environment },
        query: secret,
      });
      expect(using.items).toMatchObject([{ id, libraries: [{ purpose: 'brokered' }] }]);
    } finally {
      await stack.close();
    }
  }
});
