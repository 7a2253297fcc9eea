import { DatabaseSync } from 'node:sqlite';
import { openAccounts, type AccountStore, type RoleService } from '../accounts.ts';
import type { Clock } from '../clock.ts';
import type { RateLimit } from '../rate-limit.ts';

/** The password of all accounts in tests. */
export const testPassword = 'correct horse';

/** Password hashing cost in tests: nearly none. */
export const cheapHashing = { cost: { memory: 64, passes: 1, parallelism: 1 } } as const;

/** Opens accounts with the first administrator, `admin`, whose password is `testPassword`. The caller closes them. */
export async function openTestAccounts(
  file: string,
  clock?: Clock,
  guesses?: RateLimit,
): Promise<AccountStore> {
  const accounts = openAccounts({
    file,
    hashing: cheapHashing,
    guesses,
    ...(clock !== undefined && { clock }),
  });
  await accounts.ensureFirstAdministrator({ password: testPassword });
  return accounts;
}

/** Adds accounts with the same password: `operator`, `read-only`, and `nobody`, who has no role in the service. */
export async function addTestPeople(accounts: AccountStore, service: RoleService): Promise<void> {
  for (const role of ['operator', 'read-only', null] as const) {
    await accounts.create({
      loginName: role ?? 'nobody',
      password: testPassword,
      roles: { [service]: role },
    });
  }
}

/**
 * Makes accounts unknown without deleting them, as if their file were missing or from an older backup.
 * @param names their login names
 * @returns a function that restores them
 */
export function withdrawAccounts(file: string, names: readonly string[]): () => void {
  using db = new DatabaseSync(file, { timeout: 5000 });
  const of = `FROM account WHERE login_key IN (${names.map((name) => `'${name}'`).join(', ')})`;
  db.exec(`CREATE TABLE withdrawn AS SELECT * ${of}; DELETE ${of}`);
  return () => {
    using again = new DatabaseSync(file, { timeout: 5000 });
    again.exec('INSERT INTO account SELECT * FROM withdrawn; DROP TABLE withdrawn');
  };
}
