import { testClock } from '@gatehouse/service-kit/clock';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { describe, expect, test } from 'vitest';
import type { Token } from '../domain/token/token.ts';
import { openBarrier } from './barrier.ts';
import { openDatabase } from './database.ts';
import { tokenStore } from './tokens.ts';
import type { NewToken } from './tokens.ts';

async function openTokens(folder: ReturnType<typeof temporaryFolder>) {
  const store = openDatabase(folder.path);
  const accounts = await openTestAccounts(folder.file('accounts.db'), testClock());
  const barrier = await openBarrier(store, keyRingFromFile(folder.file('keys.json')), 1);
  const opened: string[] = [];
  const open: typeof barrier.open = (record, place) => {
    opened.push(place);
    return barrier.open(record, place);
  };
  return {
    tokens: tokenStore(store, { ...barrier, open }, accounts, { endSomeOfToken: () => true }),
    /** The places of the records that were decrypted. */
    opened,
    accounts,
    store,
    barrier,
    async [Symbol.asyncDispose]() {
      await accounts.close();
      await store.close();
    },
  };
}

const newToken: NewToken = {
  parent: null,
  namespace: '',
  path: 'auth/token/create',
  policies: [],
  meta: null,
  displayName: '',
  lifetime: { ttl: 4, period: 0, explicitMaxTtl: 0, renewable: true },
  numUses: 0,
  expireTime: 5_000,
  person: null,
};

test('a token that ends during its use or renewal stays ended', async () => {
  using folder = temporaryFolder();
  await using opened = await openTokens(folder);
  const { tokens } = opened;
  const { record } = await tokens.issue({ ...newToken, numUses: 5 }, 1);
  // Both calls start before the token ends, and their writes fall between its end and its removal.
  const [, used, renewed] = await Promise.all([
    tokens.revoke(record.hash, 1_000),
    tokens.use(record, 999),
    tokens.renew(record, 9_000, 999),
  ]);
  expect([used, renewed]).toEqual([undefined, undefined]);
});

describe('uses that were counted, after the last one,', () => {
  type Opened = Awaited<ReturnType<typeof openTokens>>;
  const later = 1_000;
  /** The records of two uses of a token, of which the second is its last. */
  const useUp = async ({ tokens }: Opened, token: Partial<NewToken> = {}) => {
    const { record } = await tokens.issue({ ...newToken, ...token, numUses: 2 }, 1);
    const uses = [await tokens.use(record, 2), await tokens.use(record, 3)].map((use) => use ?? record);
    expect(uses.map(({ numUses }) => numUses)).toEqual([1, -1]);
    expect(await tokens.use(record, 4)).toBeUndefined();
    return uses;
  };
  const heldBy = ({ tokens }: Opened, uses: readonly Token[], now = later) =>
    uses.map((use) => tokens.holds(use, now));

  test('hold', async () => {
    using folder = temporaryFolder();
    await using opened = await openTokens(folder);
    expect(heldBy(opened, await useUp(opened))).toEqual([true, true]);
  });

  test('end when the token would have expired, and were it revoked', async () => {
    using folder = temporaryFolder();
    await using opened = await openTokens(folder);
    expect(heldBy(opened, await useUp(opened), 5_000)).toEqual([false, false]);
    const uses = await useUp(opened);
    await opened.tokens.revoke(uses[0]?.hash ?? '', 5);
    expect(heldBy(opened, uses)).toEqual([false, false]);
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('end if a revocation that was sent together with it is written %s it', async (_, isAfter) => {
    using folder = temporaryFolder();
    await using opened = await openTokens(folder);
    const { tokens } = opened;
    const { record } = await tokens.issue({ ...newToken, numUses: 2 }, 1);
    const first = (await tokens.use(record, 2)) ?? record;
    const steps = [() => tokens.use(record, 3), () => tokens.revoke(record.hash, 3)];
    const [last] = (await Promise.all((isAfter ? steps : steps.toReversed()).map((step) => step()))).filter(
      (used) => used !== undefined,
    );
    expect(last?.numUses).toBe(isAfter ? -1 : undefined);
    expect(heldBy(opened, [first, ...(last === undefined ? [] : [last])])).not.toContain(true);
  });

  test('end with an ancestor', async () => {
    using folder = temporaryFolder();
    await using opened = await openTokens(folder);
    const { record: root } = await opened.tokens.issue(newToken, 1);
    const { record: parent } = await opened.tokens.issue({ ...newToken, parent: root.hash }, 1);
    const uses = await useUp(opened, { parent: parent.hash });
    expect(heldBy(opened, uses)).toEqual([true, true]);
    await opened.tokens.revoke(root.hash, 5);
    expect(heldBy(opened, uses)).toEqual([false, false]);
  });

  test("end with the account's rights", async () => {
    using folder = temporaryFolder();
    await using opened = await openTokens(folder);
    const [account] = opened.accounts.list();
    if (account === undefined) throw new Error('no account');
    const { id: accountId, passwordVersion } = account;
    const uses = await useUp(opened, { person: { accountId, passwordVersion, role: 'administrator' } });
    expect(heldBy(opened, uses)).toEqual([true, true]);
    await opened.accounts.setPassword(accountId, 'another horse');
    expect(heldBy(opened, uses)).toEqual([false, false]);
  });

  test.each([
    ['its namespace is deleted', ({ tokens }: Opened) => tokens.revokeOfNamespace('', 5)],
    ['the store is changed by other code', async ({ tokens }: Opened) => tokens.forget()],
  ])('end, but for the last, if %s', async (_, change) => {
    using folder = temporaryFolder();
    await using opened = await openTokens(folder);
    const uses = await useUp(opened);
    await change(opened);
    expect(heldBy(opened, uses)).toEqual([false, true]);
  });

  test('end with each revocation of the token that still has uses', async () => {
    using folder = temporaryFolder();
    await using opened = await openTokens(folder);
    const { record } = await opened.tokens.issue({ ...newToken, numUses: 3 }, 1);
    const use = (await opened.tokens.use(record, 2)) ?? record;
    expect(heldBy(opened, [use])).toEqual([true]);
    await opened.tokens.revoke(record.hash, 3);
    expect(heldBy(opened, [use])).toEqual([false]);
  });
});

test('an account has at most 1,000 tokens, and a new one replaces the one renewed the longest time ago', async () => {
  using folder = temporaryFolder();
  await using opened = await openTokens(folder);
  const { tokens, accounts } = opened;
  const [account] = accounts.list();
  if (account === undefined) throw new Error('no account');
  const person = {
    accountId: account.id,
    passwordVersion: account.passwordVersion,
    role: 'administrator',
  } as const;
  const issue = (now: number) => tokens.issue({ ...newToken, person, expireTime: 90_000 }, now);
  const [first, second, third] = [await issue(1), await issue(2), await issue(3)];
  const child = await tokens.issue({ ...newToken, parent: second.record.hash }, 3);
  for (let count = 3; count < 1_000; count++) await issue(4);
  await tokens.renew(first.record, 90_000, 5);
  const isValid = ({ text }: { readonly text: string }) => tokens.find(text, 6) !== undefined;
  expect([first, second, child, third].map(isValid)).toEqual([true, true, true, true]);
  await issue(6);
  expect([first, second, child, third].map(isValid)).toEqual([true, false, false, true]);
});

/** Adds rows of tokens that count as `payer`'s. */
function addCounted({ store }: Awaited<ReturnType<typeof openTokens>>, payer: string, count: number) {
  const row = {
    parent: null,
    namespace: '',
    account_id: null,
    owner: payer,
    created_time: 1,
    expire_time: null,
    last_renewal_time: null,
    num_uses: 0,
    sealed: new Uint8Array(),
  };
  return store.write((tx) => {
    for (let index = 0; index < count; index++) {
      const name = `${payer} ${index}`;
      tx.run(
        tx.build
          .insertInto('token')
          .values({ ...row, hash: name, accessor: name })
          .compile(),
      );
    }
  });
}

test('what comes from one token is at most 1,000 tokens, and leaves the others of its owner theirs', async () => {
  using folder = temporaryFolder();
  await using opened = await openTokens(folder);
  const { tokens } = opened;
  const createdBy = async (creator: Token, orphan = false): Promise<Token> =>
    (await tokens.issue({ ...newToken, parent: orphan ? null : creator.hash, creator }, 1)).record;
  const tooMany = { status: 400, message: expect.stringContaining('1000 tokens come from one token') };
  const { record: own } = await tokens.issue(newToken, 1);
  const tenant = await createdBy(own);
  const other = await createdBy(own);
  await addCounted(opened, tokens.payerOf(tenant) ?? '', 996);
  // Orphans count, and what they create, and what a child creates.
  const child = await createdBy(tenant);
  const orphan = await createdBy(tenant, true);
  await createdBy(child);
  const last = await createdBy(orphan, true);
  for (const creator of [tenant, child, orphan, last]) await expect(createdBy(creator)).rejects.toThrow();
  await expect(createdBy(last, true)).rejects.toMatchObject(tooMany);
  // None of those refused is stored, and the others stay.
  await createdBy(other);
  await createdBy(own);
  await tokens.revoke(last.hash, 1);
  await createdBy(child);
  // A revoked token's orphans still count for it.
  await tokens.revokeOrphan(tenant.hash, 1);
  await expect(createdBy(orphan)).rejects.toMatchObject(tooMany);
});

test("an owner's own tokens create at most 10,000 tokens, and what these create is as many at most", async () => {
  using folder = temporaryFolder();
  await using opened = await openTokens(folder);
  const { tokens } = opened;
  const { record: own } = await tokens.issue(newToken, 1);
  const create = (creator: Token) => tokens.issue({ ...newToken, parent: creator.hash, creator }, 1);
  const { record: first } = await create(own);
  for (let branch = 0; branch < 10; branch++)
    await addCounted(opened, `${tokens.payerOf(own)}/${branch}`, branch === 0 ? 999 : 1_000);
  await create(first);
  const ofOne = {
    status: 400,
    message: expect.stringContaining('10000 tokens come from tokens that one user'),
  };
  await expect(create(first)).rejects.toMatchObject(ofOne);
  await addCounted(opened, tokens.payerOf(own) ?? '', 9_998);
  await create(own);
  const ofOwn = { status: 400, message: expect.stringContaining('10000 tokens were created with your own') };
  await expect(create(own)).rejects.toMatchObject(ofOwn);
  // Another owner's tokens don't count, nor do those from signing in.
  const { record: another } = await tokens.issue(newToken, 1);
  await create((await create(another)).record);
});

test('a token has at most 100 ancestors', async () => {
  using folder = temporaryFolder();
  await using opened = await openTokens(folder);
  const { tokens } = opened;
  let parent: string | null = null;
  for (let ancestors = 0; ancestors <= 100; ancestors++)
    parent = (await tokens.issue({ ...newToken, parent }, 1)).record.hash;
  await expect(tokens.issue({ ...newToken, parent }, 1)).rejects.toMatchObject({ status: 400 });
});

test('records are kept in memory until they exceed 32 MiB', async () => {
  using folder = temporaryFolder();
  await using opening = await openTokens(folder);
  const { tokens, opened } = opening;
  const issue = async (megabytes: number) =>
    (await tokens.issue({ ...newToken, meta: { a: 'x'.repeat(megabytes * 2 ** 20) } }, 1)).text;
  const reads = (text: string): number => {
    opened.length = 0;
    expect(tokens.find(text, 2)).toBeDefined();
    return opened.length;
  };
  const [first, second, third] = [await issue(12), await issue(12), await issue(12)];
  expect([first, second, first, second].map(reads)).toEqual([1, 1, 0, 0]);
  expect([third, first, third].map(reads)).toEqual([1, 1, 0]);
});

test('what a token creates belongs to its owner, even if it is an orphan or its creator is revoked', async () => {
  using folder = temporaryFolder();
  await using opened = await openTokens(folder);
  const { tokens } = opened;
  const first = (await tokens.issue(newToken, 1)).record;
  expect(first.owner).toBe(first.accessor);
  const orphan = (await tokens.issue({ ...newToken, creator: first }, 1)).record;
  const next = (await tokens.issue({ ...newToken, creator: orphan }, 1)).record;
  await tokens.revoke(first.hash, 1);
  await tokens.revokeOrphan(orphan.hash, 1);
  expect(next.owner).toBe(first.accessor);
});
