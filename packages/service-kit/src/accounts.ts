import { sql, type Selectable } from 'kysely';
import { migrations, type AccountTable, type Schema } from './account-schema.ts';
import {
  AccountError,
  accountLimits,
  checkLoginName,
  checkPassword,
  checkText,
  loginKey,
} from './account.ts';
import type { Account, RoleService, Roles } from './account.ts';
import { networkOf } from './client-address.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { isId, newId } from './ids.ts';
import { knownAddresses } from './known-addresses.ts';
import { passwordHasher } from './password-hash.ts';
import type { HasherOptions } from './password-hash.ts';
import { guessLimiter } from './rate-limit.ts';
import type { KnownAddresses, RateLimit } from './rate-limit.ts';
import { isUniqueViolation, openStore, withParameters } from './store.ts';
import type { Writer } from './store.ts';
import { withoutConditions } from './write-queue.ts';

export { AccountError, accountLimits, roleServices } from './account.ts';
export type { Account, AccountFault, Role, RoleService, Roles } from './account.ts';

export interface NewAccount {
  /** Generated if missing. */
  readonly id?: string;
  readonly loginName: string;
  readonly fullName?: string;
  readonly email?: string;
  readonly password: string;
  /** Services that are left out get no access. */
  readonly roles: Partial<Roles>;
}

/** Changes to an account; members left out stay unchanged. */
export interface AccountChange {
  readonly loginName?: string;
  readonly fullName?: string;
  readonly email?: string;
  readonly disabled?: boolean;
  readonly roles?: Partial<Roles>;
}

/** What changed in an account, reported after the change is on disk. */
export interface AccountEvent {
  readonly account: Account;
  readonly changed: 'created' | 'profile' | 'roles' | 'password' | 'removed';
}

/** An account whose sessions must end, because it was disabled or removed or has another password. */
export interface SessionsToEnd {
  readonly accountId: string;
  /** The account's version with this change; its last one if it was removed. */
  readonly version: number;
  /** When it changed, in milliseconds since the epoch. Sessions that began later may continue. */
  readonly time: number;
}

/** The accounts shared by all embedded services. Reading is synchronous and cheap: read again instead of copying. */
export interface AccountStore {
  /** @throws AccountError, StoreUnavailable */
  create(account: NewAccount): Promise<Account>;
  get(id: string): Account | undefined;
  /**
   * Whether the account was deleted. What belongs to an account that is unknown, but wasn't deleted, must stay: the
   * accounts may be missing, or from an older backup.
   */
  isRemoved(id: string): boolean;
  /** Ignores case and surrounding spaces. */
  getByLoginName(loginName: string): Account | undefined;
  /** The account with an e-mail address; undefined if several have it. Ignores case and surrounding spaces. */
  getByEmail(email: string): Account | undefined;
  /** All accounts, oldest first. */
  list(): Account[];
  /** Up to `limit` accounts, newest first, beginning after one. */
  page(after: Pick<Account, 'createdTime' | 'id'> | undefined, limit: number): Account[];
  /** The number of accounts. */
  count(): number;
  /**
   * Changes an account if `version` is its current version. The last enabled administrator can't be demoted or
   * disabled.
   * @throws AccountError `not_found`, `stale_version`, `duplicate_login_name`, `invalid_…`, `last_administrator`;
   *   StoreUnavailable
   */
  update(id: string, version: number, change: AccountChange): Promise<Account>;
  /**
   * Replaces the password, which makes the account's tokens void.
   * @param version the expected current version; not checked unless given
   * @throws AccountError `not_found`, `stale_version`, `invalid_password`
   */
  setPassword(id: string, password: string, version?: number): Promise<Account>;
  /**
   * Deletes an account, which makes its tokens void.
   * @returns the account as it was
   * @throws AccountError `not_found`, `last_administrator`, `first_account` (the next start would create it again)
   */
  remove(id: string): Promise<Account>;
  /**
   * The account, if the password is correct and the account is not disabled; an unknown name takes the same time.
   * @param address where the password was entered: addresses take turns, and each may be limited in its guesses
   * @throws HttpError 503 `busy` when too many attempts wait, 429 `rate_limited` after too many wrong ones
   */
  verifyPassword(loginName: string, password: string, address?: string): Promise<Account | undefined>;
  /** Where the accounts have proved who they are. */
  readonly knownAddresses: KnownAddresses;
  /** Calls `listener` after every change. @returns a function that stops the calls */
  onChange(listener: (event: AccountEvent) => void): () => void;
  /** Kept with each such change until `sessionsEnded`, so that no session survives a crash before that. */
  sessionsToEnd(): readonly SessionsToEnd[];
  /** Reports that an account's sessions have ended. Ignored if the account has changed again since this version. */
  sessionsEnded(accountId: string, version: number): Promise<void>;
  /**
   * Creates the well-known first account (`u_1234567890`, `admin`, administrator of all services) unless it exists.
   * Doesn't change an existing one, nor its password.
   */
  ensureFirstAdministrator(options: {
    readonly password: string;
  }): Promise<{ readonly account: Account; readonly created: boolean }>;
  healthy(): boolean;
  close(): Promise<void>;
}

export interface AccountsOptions {
  readonly file: string;
  readonly clock?: Clock;
  /** Cost and concurrency of password hashing; the recommended values unless given. */
  readonly hashing?: HasherOptions;
  /** Limits password guesses per account and address; no limit unless given. */
  readonly guesses?: RateLimit | undefined;
}

/** ID of the first account, which existing scripts expect. */
export const firstAccountId = 'u_1234567890';

/** Opens the account store. @throws StoreUnavailable */
export function openAccounts(options: AccountsOptions): AccountStore {
  const { file, clock = systemClock, hashing = {} } = options;
  const store = openStore<Schema>({ file, migrations });
  const hasher = passwordHasher(hashing);
  const addresses = knownAddresses(store, clock);
  const guesses =
    options.guesses &&
    guessLimiter({ ...options.guesses, total: 'address', what: 'sign-ins' }, clock, addresses);
  const listeners = new Set<(event: AccountEvent) => void>();

  const selectById = store.build.selectFrom('account').selectAll().where('id', '=', '').compile();
  const byId = (id: string) => withParameters(selectById, id);
  const byLoginName = (loginName: string) =>
    store.build.selectFrom('account').selectAll().where('login_key', '=', loginKey(loginName)).compile();

  /** Accounts read at store generation `knownAt`, cached because every request needs its user's account. */
  const known = new Map<string, Account>();
  let knownAt: number | undefined;

  const tell = (event: AccountEvent): Account => {
    withoutConditions(() => {
      for (const listener of listeners) listener(event);
    });
    return event.account;
  };

  const change = (
    id: string,
    version: number | undefined,
    apply: (row: Selectable<AccountTable>) => Partial<AccountTable>,
  ) =>
    store.write((tx) => {
      const row = tx.get(byId(id));
      if (row === undefined) throw new AccountError('not_found', "This account doesn't exist.");
      if (version !== undefined && row.version !== version) {
        throw new AccountError('stale_version', 'Someone else changed the account at the same time.');
      }
      const changed = { ...row, ...apply(row), version: row.version + 1, updated_time: clock.now() };
      if (!isAdministrator(changed)) keepAdministrator(tx, row);
      uniquely(() => tx.run(tx.build.updateTable('account').set(changed).where('id', '=', id).compile()));
      if (changed.disabled !== 0 || changed.password_version !== row.password_version)
        keepSessionsToEnd(tx, changed, changed.updated_time);
      return toAccount(changed);
    });

  /** Stores a password under the present cost, unless it was changed since. */
  const rehash = async (
    { id, password: old }: { readonly id: string; readonly password: string },
    password: string,
    network: string,
  ): Promise<void> => {
    const rehashed = await hasher.hash(password, network);
    await store.write((tx) =>
      tx.run(
        tx.build
          .updateTable('account')
          .set({ password: rehashed })
          .where('id', '=', id)
          .where('password', '=', old)
          .compile(),
      ),
    );
  };

  const accounts: AccountStore = {
    async create(account) {
      const loginName = checkLoginName(account.loginName);
      checkPassword(account.password);
      const id = account.id ?? newId('u');
      if (!isId(id, 'u')) throw new TypeError(`not the id of an account: ${account.id ?? ''}`);
      const now = clock.now();
      const row: AccountTable = {
        id,
        login_name: loginName,
        login_key: loginKey(loginName),
        full_name: checkText(account.fullName ?? ''),
        ...emailColumns(account.email ?? ''),
        disabled: 0,
        password: await hasher.hash(account.password),
        ...roleColumns({ access: null, secrets: null, boxes: null, modules: null, ...account.roles }),
        created_time: now,
        updated_time: now,
        version: 1,
        password_version: 1,
      };
      await store.write((tx) => insert(tx, row));
      return tell({ account: toAccount(row), changed: 'created' });
    },

    get(id) {
      const generation = store.generation();
      if (generation !== knownAt) {
        known.clear();
        knownAt = generation;
      }
      const read = known.get(id);
      if (read !== undefined) return read;
      const row = store.get(byId(id));
      if (row === undefined) return undefined;
      const account = toAccount(row);
      known.set(id, account);
      return account;
    },

    isRemoved: (id) =>
      accounts.get(id) === undefined &&
      store.get(store.build.selectFrom('removed_account').selectAll().where('id', '=', id).compile()) !==
        undefined,

    getByLoginName(loginName) {
      const row = store.get(byLoginName(loginName));
      return row === undefined ? undefined : toAccount(row);
    },

    getByEmail(email) {
      const [row, ...others] = store.all(
        store.build
          .selectFrom('account')
          .selectAll()
          .where('email_key', '=', email.trim().toLowerCase())
          .limit(2)
          .compile(),
      );
      return row === undefined || others.length > 0 ? undefined : toAccount(row);
    },

    list: () =>
      store
        .all(store.build.selectFrom('account').selectAll().orderBy('created_time').orderBy('id').compile())
        .map((row) => toAccount(row)),

    page(after, limit) {
      const newest = store.build
        .selectFrom('account')
        .selectAll()
        .orderBy('created_time', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      const query =
        after === undefined
          ? newest
          : newest.where(sql<boolean>`(created_time, id) < (${after.createdTime}, ${after.id})`);
      return store.all(query.compile()).map((row) => toAccount(row));
    },

    count: () =>
      store.get(
        store.build
          .selectFrom('account')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .compile(),
      )?.n ?? 0,

    async update(id, version, asked) {
      const account = await change(id, version, (row) => {
        const loginName = asked.loginName === undefined ? row.login_name : checkLoginName(asked.loginName);
        return {
          login_name: loginName,
          login_key: loginKey(loginName),
          ...(asked.fullName === undefined ? {} : { full_name: checkText(asked.fullName) }),
          ...(asked.email === undefined ? {} : emailColumns(asked.email)),
          ...(asked.disabled === undefined ? {} : { disabled: asked.disabled ? 1 : 0 }),
          ...(asked.disabled === true && { password_version: row.password_version + 1 }),
          ...roleColumns({ ...toAccount(row).roles, ...asked.roles }),
        };
      });
      return tell({
        account,
        changed: asked.roles === undefined && asked.disabled === undefined ? 'profile' : 'roles',
      });
    },

    async setPassword(id, password, version) {
      checkPassword(password);
      const hashed = await hasher.hash(password);
      const account = await change(id, version, (row) => ({
        password: hashed,
        password_version: row.password_version + 1,
      }));
      return tell({ account, changed: 'password' });
    },

    async remove(id) {
      const account = await store.write((tx) => {
        const row = tx.get(byId(id));
        if (row === undefined) throw new AccountError('not_found', "This account doesn't exist.");
        if (id === firstAccountId) {
          throw new AccountError('first_account', "The first account can't be deleted, only disabled.");
        }
        keepAdministrator(tx, row);
        tx.run(tx.build.deleteFrom('account').where('id', '=', id).compile());
        const removed = tx.build.insertInto('removed_account').values({ id });
        tx.run(removed.onConflict((row) => row.doNothing()).compile());
        keepSessionsToEnd(tx, row, clock.now());
        return toAccount(row);
      });
      return tell({ account, changed: 'removed' });
    },

    async verifyPassword(loginName, password, address) {
      const { maxLoginName, maxPassword } = accountLimits;
      if (password.length > maxPassword || loginName.trim().length > maxLoginName) return undefined;
      const guess = address === undefined ? undefined : guesses?.(loginKey(loginName), address);
      const row = store.get(byLoginName(loginName));
      const network = networkOf(address ?? '');
      const right = await hasher.verify(password, row?.password, network).catch((error: unknown) => {
        guess?.notChecked();
        throw error;
      });
      if (!right || row === undefined) return undefined;
      // A right password is accepted even if its new hash can't be stored; the next sign-in tries again.
      if (hasher.outdated(row.password)) await rehash(row, password, network).catch(() => undefined);
      // Read again: the account may have been disabled or its password changed during the computation.
      const current = accounts.get(row.id);
      if (current === undefined || current.disabled || current.passwordVersion !== row.password_version)
        return undefined;
      await guess?.right();
      return current;
    },

    knownAddresses: addresses,

    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    sessionsToEnd: () =>
      store.all(
        store.build
          .selectFrom('sessions_to_end')
          .select(['account_id as accountId', 'version', 'time'])
          .orderBy('time')
          .compile(),
      ),

    async sessionsEnded(accountId, version) {
      await store.write((tx) =>
        tx.run(
          tx.build
            .deleteFrom('sessions_to_end')
            .where('account_id', '=', accountId)
            .where('version', '=', version)
            .compile(),
        ),
      );
    },

    async ensureFirstAdministrator({ password }) {
      const existing = accounts.get(firstAccountId);
      if (existing !== undefined) return { account: existing, created: false };
      const account = await accounts.create({
        id: firstAccountId,
        loginName: 'admin',
        fullName: 'First administrator',
        password,
        roles: {
          access: 'administrator',
          secrets: 'administrator',
          boxes: 'administrator',
          modules: 'administrator',
        },
      });
      return { account, created: true };
    },

    healthy: () => store.healthy(),
    close: () => store.close(),
  };
  return accounts;
}

/** Whether the account may manage accounts, as an enabled administrator of the access service. */
function isAdministrator(row: Pick<AccountTable, 'disabled' | 'role_access'>): boolean {
  return row.disabled === 0 && row.role_access === 'administrator';
}

/** @throws AccountError `last_administrator` when no account other than `leaving` can manage accounts */
function keepAdministrator(tx: Writer<Schema>, leaving: Selectable<AccountTable>): void {
  if (!isAdministrator(leaving)) return;
  const other = tx.get(
    tx.build
      .selectFrom('account')
      .select('id')
      .where('disabled', '=', 0)
      .where('role_access', '=', 'administrator')
      .where('id', '<>', leaving.id)
      .compile(),
  );
  if (other !== undefined) return;
  throw new AccountError(
    'last_administrator',
    'This is the last enabled administrator of the access service: make someone else an administrator first.',
  );
}

function keepSessionsToEnd(
  tx: Writer<Schema>,
  { id, version }: Pick<AccountTable, 'id' | 'version'>,
  time: number,
): void {
  tx.run(
    tx.build
      .insertInto('sessions_to_end')
      .values({ account_id: id, version, time })
      .onConflict((row) => row.column('account_id').doUpdateSet({ version, time }))
      .compile(),
  );
}

function insert(tx: Writer<Schema>, row: AccountTable): void {
  uniquely(() => tx.run(tx.build.insertInto('account').values(row).compile()));
}

function uniquely(statement: () => number): void {
  try {
    statement();
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccountError('duplicate_login_name', 'The login name is taken.');
    throw error;
  }
}

function emailColumns(text: string): Pick<AccountTable, 'email' | 'email_key'> {
  const email = checkText(text);
  return { email, email_key: email.toLowerCase() };
}

function roleColumns(roles: Roles): Pick<AccountTable, `role_${RoleService}`> {
  return {
    role_access: roles.access,
    role_secrets: roles.secrets,
    role_boxes: roles.boxes,
    role_modules: roles.modules,
  };
}

function toAccount(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    loginName: row.login_name,
    fullName: row.full_name,
    email: row.email,
    disabled: row.disabled !== 0,
    roles: {
      access: row.role_access,
      secrets: row.role_secrets,
      boxes: row.role_boxes,
      modules: row.role_modules,
    },
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    version: row.version,
    passwordVersion: row.password_version,
  };
}
