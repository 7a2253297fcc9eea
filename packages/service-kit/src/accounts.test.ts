import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firstAccountId, openAccounts } from './accounts.ts';
import type { AccountEvent, AccountStore } from './accounts.ts';
import { testClock } from './clock.ts';
import { passwordHasher, recommendedCost } from './password-hash.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

const cheap = { memory: 64, passes: 1, parallelism: 1 };

describe('the account store', () => {
  let folder: TemporaryFolder;
  let accounts: AccountStore;
  const clock = testClock();
  const open = (cost = cheap): AccountStore =>
    openAccounts({ file: folder.file('accounts.db'), clock, hashing: { cost } });
  beforeEach(() => {
    folder = temporaryFolder();
    accounts = open();
  });
  afterEach(async () => {
    await accounts.close();
    folder[Symbol.dispose]();
  });
  const ada = {
    loginName: ' Ada ',
    fullName: 'Ada L.',
    email: 'ada@example.com',
    password: 'engine no. 1',
    roles: { access: 'operator' },
  } as const;

  test('sees changes by another process immediately', async () => {
    const { id, version } = await accounts.create(ada);
    expect(accounts.get(id)?.disabled).toBe(false);
    const others = open();
    try {
      const changed = await others.update(id, version, { disabled: true });
      expect(accounts.get(id)).toEqual(changed);
      const again = await accounts.update(id, changed.version, { disabled: false });
      expect(accounts.get(id)).toEqual(again);
      expect(others.get(id)).toEqual(again);
    } finally {
      await others.close();
    }
  });

  test('stores an account and finds it by ID and by login name in any case', async () => {
    const created = await accounts.create(ada);
    expect(created).toEqual({
      id: expect.stringMatching(/^u_\w{10}$/),
      loginName: 'Ada',
      fullName: 'Ada L.',
      email: 'ada@example.com',
      disabled: false,
      roles: { access: 'operator', secrets: null, boxes: null, modules: null },
      createdTime: clock.now(),
      updatedTime: clock.now(),
      version: 1,
      passwordVersion: 1,
    });
    await accounts.close();
    accounts = open();
    expect(accounts.get(created.id)).toEqual(created);
    expect(accounts.getByLoginName(' aDA')).toEqual(created);
    expect(accounts.list()).toEqual([created]);
    expect(accounts.get('u_0000000000')).toBeUndefined();
  });

  test('finds the only account with an e-mail address in any case, by an index', async () => {
    const { id } = await accounts.create({ ...ada, email: ' Ada@Example.com ' });
    const bob = await accounts.create({ ...ada, loginName: 'bob', email: 'bob@example.com' });
    expect(accounts.getByEmail(' ADA@example.com')?.id).toBe(id);
    expect(accounts.getByEmail('nobody@example.com')).toBeUndefined();
    const changed = await accounts.update(bob.id, bob.version, { email: 'ADA@example.com' });
    expect(accounts.getByEmail('ada@example.com')).toBeUndefined();
    expect(accounts.getByEmail('bob@example.com')).toBeUndefined();
    await accounts.update(bob.id, changed.version, { email: 'BOB@example.com' });
    expect(accounts.getByEmail('bob@example.com')?.id).toBe(bob.id);
    using file = new DatabaseSync(folder.file('accounts.db'), { readOnly: true });
    const plan = file.prepare("EXPLAIN QUERY PLAN SELECT * FROM account WHERE email_key = 'a' LIMIT 2").all();
    expect(plan).toMatchObject([{ detail: 'SEARCH account USING INDEX account_email (email_key=?)' }]);
  });

  test('refuses a login name that differs from an existing one only in case', async () => {
    await accounts.create(ada);
    await expect(accounts.create({ ...ada, loginName: 'ADA' })).rejects.toMatchObject({
      fault: 'duplicate_login_name',
    });
    const bob = await accounts.create({ ...ada, loginName: 'bob' });
    await expect(accounts.update(bob.id, 1, { loginName: 'ada' })).rejects.toMatchObject({
      fault: 'duplicate_login_name',
    });
    expect(accounts.get(bob.id)).toEqual(bob);
  });

  test.each([
    [{ loginName: 'ab' }, 'invalid_login_name'],
    [{ loginName: 'a b c' }, 'invalid_login_name'],
    [{ loginName: 'x'.repeat(101) }, 'invalid_login_name'],
    [{ password: 'short' }, 'invalid_password'],
    [{ password: 'x'.repeat(1001) }, 'invalid_password'],
    [{ fullName: 'a\u0000b' }, 'invalid_text'],
  ])('refuses %j', async (part, fault) => {
    await expect(accounts.create({ ...ada, ...part })).rejects.toMatchObject({ fault });
    expect(accounts.list()).toEqual([]);
  });

  test('accepts exactly one of several concurrent updates with the same version', async () => {
    const { id } = await accounts.create(ada);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => accounts.update(id, 1, { fullName: `writer ${n}` })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(accounts.get(id)?.version).toBe(2);
    await expect(accounts.update('u_0000000000', 1, {})).rejects.toMatchObject({ fault: 'not_found' });
  });

  test('accepts a password until it is changed or the account is disabled', async () => {
    const { id } = await accounts.create(ada);
    expect(await accounts.verifyPassword('ADA', 'engine no. 1')).toMatchObject({ id });
    expect(await accounts.verifyPassword('ada', 'engine no. 2')).toBeUndefined();
    expect(await accounts.verifyPassword('nobody', 'engine no. 1')).toBeUndefined();
    const changed = await accounts.setPassword(id, 'engine no. 2');
    expect(changed.passwordVersion).toBe(2);
    expect(await accounts.verifyPassword('ada', 'engine no. 1')).toBeUndefined();
    expect(await accounts.verifyPassword('ada', 'engine no. 2')).toMatchObject({ id });
    await accounts.update(id, changed.version, { disabled: true });
    expect(await accounts.verifyPassword('ada', 'engine no. 2')).toBeUndefined();
  });

  test('does the same hashing work for an unknown login name', async () => {
    // A name answered without hashing would never wait for a turn, so a flood of such sign-ins wouldn't be refused.
    const flood = Array.from({ length: 100 }, () => accounts.verifyPassword('nobody', 'engine no. 1'));
    const refused = (await Promise.allSettled(flood)).find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { status: 503, code: 'busy' } });
  });

  test('limits guesses per account and address, and per address', async () => {
    const guesses = { burst: 2, perSecond: 0.1 };
    const openLimited = () =>
      openAccounts({ file: folder.file('accounts.db'), clock, hashing: { cost: cheap }, guesses });
    let limited = openLimited();
    const wrong = (name: string, address?: string) => limited.verifyPassword(name, 'wrong', address);
    const right = (address?: string) => limited.verifyPassword('ada', ada.password, address);
    const tooMany = { status: 429, headers: { 'Retry-After': '10' } };
    try {
      await limited.create(ada);
      for (const name of ['ada', ' ADA ']) await wrong(name, '2001:db8::1');
      // Addresses in one IPv6 network count as one.
      await expect(right('2001:db8::2')).rejects.toMatchObject(tooMany);
      expect(await right('2001:db8:1::1')).toBeDefined();
      expect(await right()).toBeDefined();
      clock.advance(10_000);
      expect(await right('2001:db8::1')).toBeDefined();
      // A correct password is no guess, and clears the account's wrong ones.
      for (const name of ['ada', 'ada']) await wrong(name, '2001:db8::1');
      clock.advance(60_000);
      for (let n = 0; n < 6; n++) await wrong(`nobody-${n}`, '203.0.113.1');
      await expect(right('203.0.113.1')).rejects.toMatchObject({ status: 429 });
      expect(await right('203.0.113.2')).toBeDefined();
      // Guesses with made-up names don't lock out an account that has signed in from this address before.
      for (let n = 0; n < 6; n++) await wrong(`nobody-${n}`, '203.0.113.2');
      await expect(wrong('nobody', '203.0.113.2')).rejects.toMatchObject({ status: 429 });
      expect(await right('203.0.113.2')).toBeDefined();
      // The known addresses survive a restart.
      await limited.close();
      limited = openLimited();
      for (let n = 0; n < 6; n++) await wrong(`nobody-${n}`, '203.0.113.2');
      await expect(wrong('nobody', '203.0.113.2')).rejects.toMatchObject({ status: 429 });
      expect(await right('203.0.113.2')).toBeDefined();
      // The correct password of a disabled account is answered exactly like a wrong one.
      const bea = await limited.create({ ...ada, loginName: 'bea' });
      await limited.update(bea.id, bea.version, { disabled: true });
      const disabled = () => limited.verifyPassword('bea', ada.password, '203.0.113.9');
      for (let n = 0; n < 2; n++) expect(await disabled()).toBeUndefined();
      await expect(disabled()).rejects.toMatchObject({ status: 429 });
      // Names that no account can have are not counted.
      expect(await wrong('x'.repeat(101), '203.0.113.1')).toBeUndefined();
    } finally {
      await limited.close();
    }
  });

  test('does not count a guess that was refused before its password was checked', async () => {
    const limited = openAccounts({
      file: folder.file('accounts.db'),
      clock,
      hashing: { cost: cheap },
      guesses: { burst: 100, perSecond: 0.001 },
    });
    try {
      const guess = () => limited.verifyPassword('nobody', 'wrong', '203.0.113.1');
      const flood = await Promise.allSettled(Array.from({ length: 100 }, guess));
      expect(flood.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
      await expect(guess()).resolves.toBeUndefined();
    } finally {
      await limited.close();
    }
  });

  test('accepts a password in another Unicode normalization form', async () => {
    await accounts.create({ ...ada, password: 'caf\u00e9 caf\u00e9' });
    expect(await accounts.verifyPassword('ada', 'cafe\u0301 cafe\u0301')).toBeDefined();
  });

  test('rehashes a password at sign-in when the configured cost has changed', async () => {
    await accounts.create(ada);
    await accounts.close();
    accounts = open({ ...cheap, passes: 2 });
    const before = accounts.getByLoginName('ada');
    // Accepted even if the new hash can't be stored.
    const other = new DatabaseSync(folder.file('accounts.db'));
    other.exec('CREATE TRIGGER full BEFORE UPDATE ON account BEGIN SELECT RAISE(ABORT, "full"); END');
    expect(await accounts.verifyPassword('ada', ada.password)).toEqual(before);
    other.exec('DROP TRIGGER full');
    other.close();
    expect(await accounts.verifyPassword('ada', ada.password)).toEqual(before);
    await accounts.close();
    expect(readFileSync(folder.file('accounts.db')).includes('m=64,t=2,p=1')).toBe(true);
    expect(readFileSync(folder.file('accounts.db')).includes(ada.password)).toBe(false);
    accounts = open();
  });

  test('notifies listeners after every change', async () => {
    const heard: [string, number][] = [];
    const stop = accounts.onChange((event: AccountEvent) =>
      heard.push([event.changed, event.account.version]),
    );
    const { id } = await accounts.create(ada);
    await accounts.update(id, 1, { email: '' });
    await accounts.update(id, 2, { roles: { boxes: 'read-only' } });
    await accounts.setPassword(id, 'engine no. 3');
    stop();
    await accounts.update(id, 4, { email: 'x' });
    expect(heard).toEqual([
      ['created', 1],
      ['profile', 2],
      ['roles', 3],
      ['password', 4],
    ]);
    expect(accounts.get(id)?.roles).toEqual({
      access: 'operator',
      secrets: null,
      boxes: 'read-only',
      modules: null,
    });
  });

  test('keeps which sessions must end, also over a restart, until they have ended', async () => {
    const { id } = await accounts.create(ada);
    await accounts.update(id, 1, { email: '', roles: { boxes: null } });
    expect(accounts.sessionsToEnd()).toEqual([]);
    await accounts.setPassword(id, 'engine no. 2');
    await accounts.update(id, 3, { disabled: true });
    await accounts.close();
    accounts = open();
    const kept = { accountId: id, version: 4, time: accounts.get(id)?.updatedTime };
    expect(accounts.sessionsToEnd()).toEqual([kept]);
    // An end that began before the account was disabled.
    await accounts.sessionsEnded(id, 3);
    expect(accounts.sessionsToEnd()).toEqual([kept]);
    await accounts.sessionsEnded(id, 4);
    expect(accounts.sessionsToEnd()).toEqual([]);
    await accounts.remove(id);
    expect(accounts.sessionsToEnd()).toMatchObject([{ accountId: id, version: 4 }]);
  });

  test('refuses a password change with an outdated version', async () => {
    const { id } = await accounts.create(ada);
    await expect(accounts.setPassword(id, 'engine no. 2', 2)).rejects.toMatchObject({
      fault: 'stale_version',
    });
    expect(await accounts.verifyPassword('ada', ada.password)).toBeDefined();
    expect(await accounts.setPassword(id, 'engine no. 2', 1)).toMatchObject({
      version: 2,
      passwordVersion: 2,
    });
    expect(await accounts.verifyPassword('ada', 'engine no. 2')).toBeDefined();
  });

  test('removes an account and frees its login name', async () => {
    const heard: unknown[] = [];
    accounts.onChange((event) => heard.push([event.changed, event.account.loginName]));
    const { id } = await accounts.create(ada);
    expect(await accounts.remove(id)).toMatchObject({ id, loginName: 'Ada' });
    expect([accounts.get(id), await accounts.verifyPassword('ada', ada.password)]).toEqual([
      undefined,
      undefined,
    ]);
    await expect(accounts.remove(id)).rejects.toMatchObject({ fault: 'not_found' });
    await accounts.create(ada);
    expect(heard).toEqual([
      ['created', 'Ada'],
      ['removed', 'Ada'],
      ['created', 'Ada'],
    ]);
  });

  test('keeps at least one enabled administrator', async () => {
    const { account: first } = await accounts.ensureFirstAdministrator({ password: 'first password' });
    const last = { fault: 'last_administrator' };
    const demote = (id: string, version: number) =>
      accounts.update(id, version, { roles: { access: 'operator' } });
    await expect(demote(first.id, 1)).rejects.toMatchObject(last);
    await expect(accounts.update(first.id, 1, { disabled: true })).rejects.toMatchObject(last);
    await accounts.update(first.id, 1, { email: 'x', roles: { boxes: null } });

    const ada2 = await accounts.create({ ...ada, roles: { access: 'administrator' } });
    await expect(accounts.remove(first.id)).rejects.toMatchObject({ fault: 'first_account' });
    // When the last two administrators step down at once, one is refused.
    const both = await Promise.allSettled([
      demote(first.id, 2),
      accounts.update(ada2.id, 1, { disabled: true }),
    ]);
    expect(both.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    await expect(accounts.remove(ada2.id)).rejects.toMatchObject(last);
    await accounts.update(first.id, 3, { roles: { access: 'administrator' } });
    await accounts.remove(ada2.id);
  });

  test('creates the first administrator once and leaves it unchanged on restart', async () => {
    const first = await accounts.ensureFirstAdministrator({ password: 'first password' });
    expect(first).toMatchObject({ created: true, account: { id: firstAccountId, loginName: 'admin' } });
    expect(await accounts.ensureFirstAdministrator({ password: 'another password' })).toEqual({
      ...first,
      created: false,
    });
    expect(await accounts.verifyPassword('admin', 'first password')).toBeDefined();
  });
});

describe('password hashing', () => {
  test('uses argon2id at the recommended cost, in PHC form', async () => {
    const hasher = passwordHasher();
    const phc = await hasher.hash('password');
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await hasher.verify('password', phc)).toBe(true);
    expect(await hasher.verify('Password', phc)).toBe(false);
    expect([hasher.outdated(phc), passwordHasher({ cost: cheap }).outdated(phc)]).toEqual([false, true]);
    expect(recommendedCost.memory).toBe(19_456);
  });

  test('agrees with the reference implementation', async () => {
    // A vector from the reference implementation's test.c: password, somesalt, two passes, 64 MiB, one lane.
    const phc = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await passwordHasher().verify('password', phc)).toBe(true);
  });

  test('runs a few computations at once, queues some, and refuses the rest', async () => {
    const hasher = passwordHasher({ cost: cheap, concurrent: 2, mostOwn: 3 });
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => hasher.verify('password', undefined)),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5);
    expect(results.find((result) => result.status === 'rejected')).toMatchObject({
      reason: { status: 503, code: 'busy' },
    });
    expect(await hasher.verify('password', undefined)).toBe(false);
  });

  test('gives other networks their turn during a flood from one or many networks', async () => {
    const hasher = passwordHasher({ cost: cheap, concurrent: 1, mostOwn: 4, mostWaiting: 12 });
    const ended: string[] = [];
    const check = async (network: string): Promise<void> => {
      await hasher.verify('password', undefined, network);
      ended.push(network);
    };
    const flood = ['a', 'b', 'c', 'd'].flatMap((network) => Array.from({ length: 6 }, () => check(network)));
    const settled = Promise.allSettled(flood);
    await expect(Promise.all([check('e'), check('f')])).resolves.toHaveLength(2);
    // One computation of each flooding network ran first, and no second one.
    expect(ended.slice(0, 6)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const results = await settled;
    // One runs and twelve wait, two of which were refused in favor of later ones.
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
  });
});
