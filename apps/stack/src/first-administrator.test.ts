import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureFirstAdministrator } from './first-administrator.ts';

let folder: string;
let accounts: AccountStore;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-first-'));
  accounts = openAccounts({ file: path.join(folder, 'accounts.db') });
});
afterEach(async () => {
  await accounts.close();
  fs.rmSync(folder, { recursive: true });
});

describe('the first administrator', () => {
  it('gets a generated password in a private file, shown once', async () => {
    const first = await ensureFirstAdministrator(accounts, folder, undefined);
    expect(first.password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    const file = first.passwordFile ?? '';
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toBe(`${first.password}\n`);
    expect(await accounts.verifyPassword('admin', first.password ?? '')).toMatchObject({
      id: 'u_1234567890',
    });

    // A start that failed before everything was created doesn't count as the first.
    expect(await ensureFirstAdministrator(accounts, folder, undefined)).toMatchObject({
      password: first.password,
    });
    first.complete();
    expect(await ensureFirstAdministrator(accounts, folder, undefined)).toMatchObject({
      loginName: 'admin',
      password: undefined,
      passwordFile: file,
    });
  });

  it('keeps a chosen password out of files, and ignores another one on a later start', async () => {
    await ensureFirstAdministrator(accounts, folder, 'chosen by a person');
    expect(fs.readdirSync(folder)).not.toContain('admin-password');
    await ensureFirstAdministrator(accounts, folder, 'another one');
    expect(await accounts.verifyPassword('admin', 'another one')).toBeUndefined();
    expect(await accounts.verifyPassword('admin', 'chosen by a person')).toBeDefined();
  });

  it('uses the password of a start that was killed before the account was stored', async () => {
    fs.writeFileSync(path.join(folder, 'admin-password'), 'left behind\n', { mode: 0o644 });
    const first = await ensureFirstAdministrator(accounts, folder, undefined);
    expect(first.password).toBe('left behind');
    expect(fs.statSync(path.join(folder, 'admin-password')).mode & 0o777).toBe(0o600);
  });

  it('has its password file deleted when the password changes', async () => {
    const { passwordFile } = await ensureFirstAdministrator(accounts, folder, undefined);
    await accounts.setPassword('u_1234567890', 'changed by its owner');
    expect(fs.existsSync(passwordFile ?? '')).toBe(false);
  });
});
