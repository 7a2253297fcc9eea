import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { firstAccountId } from '@gatehouse/service-kit/accounts';
import type { AccountStore } from '@gatehouse/service-kit/accounts';

/** The first account, and how to sign in with it. */
export interface FirstAdministrator {
  readonly loginName: string;
  /** The password that the first start gave the account; undefined once a start has been completed. */
  readonly password: string | undefined;
  /** The 0600 file with a generated password; undefined if the password was chosen. */
  readonly passwordFile: string | undefined;
  /** Call when everything that the first start creates exists; until then the next start counts as the first. */
  complete(): void;
}

/**
 * Creates the first account if it doesn't exist. Without a chosen password, generates one and writes it to a file
 * that only the owner may read, before it creates the account: no crash can leave an account without its password.
 * @param chosen password from the environment, used only for a new account
 */
export async function ensureFirstAdministrator(
  accounts: AccountStore,
  dataDir: string,
  chosen: string | undefined,
): Promise<FirstAdministrator> {
  const file = path.join(dataDir, 'admin-password');
  const incomplete = path.join(dataDir, 'first-start');
  const complete = (): void => fs.rmSync(incomplete, { force: true });
  // A file with an outdated password would be misleading.
  accounts.onChange(({ account, changed }) => {
    if (account.id === firstAccountId && changed === 'password') fs.rmSync(file, { force: true });
  });
  const existing = accounts.get(firstAccountId);
  if (existing !== undefined) {
    const passwordFile = fs.existsSync(file) ? file : undefined;
    // The start that created the account may not have been completed, for example because a port was in use.
    const password = fs.existsSync(incomplete) ? (readKept(file) ?? chosen) : undefined;
    return { loginName: existing.loginName, password, passwordFile, complete };
  }
  const password = chosen ?? readKept(file) ?? generatePassword();
  if (chosen === undefined) writeSecret(file, `${password}\n`);
  fs.writeFileSync(incomplete, '');
  const { account } = await accounts.ensureFirstAdministrator({ password });
  return {
    loginName: account.loginName,
    password,
    passwordFile: chosen === undefined ? file : undefined,
    complete,
  };
}

function readKept(file: string): string | undefined {
  try {
    const text = fs.readFileSync(file, 'utf8').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

function writeSecret(file: string, text: string): void {
  const descriptor = fs.openSync(file, 'w', 0o600);
  try {
    fs.fchmodSync(descriptor, 0o600);
    fs.writeSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Four groups of five letters and digits without look-alikes: 99 bits, and easy to read over the telephone. */
function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
