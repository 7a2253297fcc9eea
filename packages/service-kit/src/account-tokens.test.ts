import { expect, test } from 'vitest';
import { accountTokens, mostTokens, tokenTable } from './account-tokens.ts';
import type { TokenTable } from './account-tokens.ts';
import { randomBase62 } from './ids.ts';
import { openStore } from './store.ts';
import { temporaryFolder } from './temporary-folder.ts';

test("replaces a user's least recently used token when the user has the most tokens allowed", async () => {
  using folder = temporaryFolder();
  const store = openStore<{ token: TokenTable }>({
    file: folder.file('tokens.db'),
    migrations: [{ name: 'tokens', up: (db) => db.exec(tokenTable) }],
  });
  const tokens = accountTokens(store, { form: /./, make: () => randomBase62(24) });
  const issue = (accountId: string, createdTime: number) =>
    tokens.issue({ accountId, passwordVersion: 1, description: '', createdTime });
  const theirs = await issue('ben', 0);
  const made = await Promise.all(Array.from({ length: mostTokens }, (_, at) => issue('ada', at)));
  const [first, second] = made;
  if (first === undefined || second === undefined) throw new Error('no tokens');
  tokens.noteUse(first.record, 3_600_000);
  await issue('ada', mostTokens);
  expect(tokens.list('ada')).toHaveLength(mostTokens);
  expect([first, second, theirs].map(({ record }) => tokens.get(record.id)?.id)).toEqual([
    first.record.id,
    undefined,
    theirs.record.id,
  ]);
  await store.close();
});
