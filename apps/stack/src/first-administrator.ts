import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { firstAccountId } from '@gatehouse/service-kit/accounts';
import type { AccountStore } from '@gatehouse/service-kit/accounts';

/** How the first person signs in. */
export interface FirstAdministrator {
  readonly loginName: string;
  /** The password that the first start gave the account; undefined once a start was completed. */
  readonly password: string | undefined;
  /** The 0600 file that keeps a generated password; undefined when a person chose it. */
  readonly passwordFile: string | undefined;
  /** To be called when everything that the first start creates exists: until then the next start is the first one again. */
  complete(): void;
}

/**
 * Makes sure that the first account exists. A password that nobody chose is generated and kept in a file that
 * only the owner may read, written before the account so that no crash can leave an account without it.
 *
 * @param chosen password from the environment; used for a new account alone
 */
export async function ensureFirstAdministrator(
  accounts: AccountStore,
  dataDir: string,
  chosen: string | undefined,
): Promise<FirstAdministrator> {
  const file = path.join(dataDir, 'admin-password');
  const incomplete = path.join(dataDir, 'first-start');
  const complete = (): void => fs.rmSync(incomplete, { force: true });
  // A file whose password is no longer the account's would only mislead.
  accounts.onChange(({ account, changed }) => {
    if (account.id === firstAccountId && changed === 'password') fs.rmSync(file, { force: true });
  });
  const existing = accounts.get(firstAccountId);
  if (existing !== undefined) {
    const passwordFile = fs.existsSync(file) ? file : undefined;
    // A port that was in use, for example, ended the start that created the account.
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

/** Four groups of five letters and digits without look-alikes: 99 bits, and readable over a telephone. */
function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
