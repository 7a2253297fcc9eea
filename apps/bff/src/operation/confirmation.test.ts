import type { ServiceName } from '@gatehouse/api-types/console/service';
import { testClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { connections } from '#session/connections.ts';
import { revocations } from '#session/revocations.ts';
import { sessions } from '#session/sessions.ts';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { testConfig, type TestConsoleOptions } from '#test/console.ts';
import { guardOf } from './confirmation.ts';

/** Two consoles with one database, and a session that is connected as `victim`. */
async function startTwo(file: string, options: TestConsoleOptions = {}) {
  const clock = testClock();
  const database = openSqlite(file);
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  const seal = tokenSeal(
    () => ring,
    clock,
    () => undefined,
  );
  const queue = revocations({ database, clock, seal, log: silentLog, serviceOf: () => undefined });
  const { session } = await sessions(database, clock, [], queue, () => undefined).begin({
    personId: 'test/access/victim',
    personName: 'victim',
    loginName: 'victim',
    environment: 'test',
    service: 'access',
    method: 'password',
    tokenExpiresAt: null,
    address: '127.0.0.1',
    client: '',
  });
  const [one, two] = [connections(database, clock, seal, queue), connections(database, clock, seal, queue)];
  const connect = (name: string) =>
    one.keep(session.id, 'test', 'access', {
      token: `token of ${name}`,
      tokenId: `t_${name}`,
      accountId: name,
      accountName: name,
      loginName: name,
      expiresAt: null,
    });
  const confirm = async () => one.confirm(await one.of(session.id), clock.now() + 60_000);
  const config = testConfig({ kind: 'production', ...options });
  const guard = (environment = 'test', service: ServiceName = 'access') =>
    guardOf(
      { config, clock, connections: two, replicasOf: () => Promise.resolve(null) },
      {
        params: { environment },
        session,
        service,
      },
    );
  await connect('victim');
  const token = async () => {
    const kept = await two.token(session.id, 'test', 'access');
    return typeof kept === 'string' ? kept : kept.token;
  };
  return { connect, confirm, guard, token };
}

const at = { environment: 'test', service: 'access' };

test("nobody acts with another account's token after confirming their own at another console", async () => {
  using folder = temporaryFolder();
  const { connect, confirm, guard, token } = await startTwo(folder.file('console.db'));
  expect(await token()).toBe('token of victim');
  await connect('intruder');
  await confirm();
  await guard().pass('destroys');
  expect(await token()).toBe('token of intruder');
});

test('an effect is refused if another account confirmed it than the one whose token the call uses', async () => {
  using folder = temporaryFolder();
  const { connect, confirm, guard } = await startTwo(folder.file('console.db'));
  const [before, after] = [guard(), guard()];
  before.actsAs(at, 'victim');
  await connect('intruder');
  await confirm();
  await expect(before.pass('destroys')).rejects.toMatchObject({ code: 'not-connected' });
  expect(before.isPassed).toBe(false);
  await after.pass('destroys');
  expect(() => after.actsAs(at, 'victim')).toThrow('Another account has been connected');
  after.actsAs(at, 'intruder');
});

test('what is done at a server that a production environment names too is confirmed like there', async () => {
  using folder = temporaryFolder();
  const endpoint = { kind: 'url', url: new URL('https://boxes.example/team') } as const;
  const url = new URL('https://boxes.example/team/');
  const boxes = { endpoint: { kind: 'url', url }, signIn: ['password'] } as const;
  const environment = { id: 'dev', name: 'Dev', kind: 'development', sharedAccounts: false } as const;
  const { guard } = await startTwo(folder.file('console.db'), {
    boxes: endpoint,
    others: [{ ...environment, services: { boxes } }],
  });
  await expect(guard('dev', 'boxes').pass('destroys')).rejects.toThrow('Test is a production environment');
});
