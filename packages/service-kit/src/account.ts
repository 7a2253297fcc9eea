/** A user's role in one service. */
export type Role = 'administrator' | 'operator' | 'read-only';

/** The services that have roles. */
export const roleServices = ['access', 'secrets', 'boxes', 'modules'] as const;

export type RoleService = (typeof roleServices)[number];

/** A user's role in every service; null for no access. */
export type Roles = Readonly<Record<RoleService, Role | null>>;

/** A user's account, shared by all embedded services. */
export interface Account {
  /** `u_` and ten base62 characters. */
  readonly id: string;
  /** As typed; unique regardless of case. */
  readonly loginName: string;
  readonly fullName: string;
  /** Empty if unknown. */
  readonly email: string;
  /** A disabled account can't sign in, and its tokens are invalid. */
  readonly disabled: boolean;
  readonly roles: Roles;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** Milliseconds since the epoch. */
  readonly updatedTime: number;
  /** Incremented by every change, from 1. */
  readonly version: number;
  /**
   * Incremented by every password change, and when the account is disabled, from 1. A token stores the number it was
   * issued under and is void under any other, whichever process changed the account.
   */
  readonly passwordVersion: number;
}

/** Why an account could not be created or changed. */
export type AccountFault =
  | 'not_found'
  | 'stale_version'
  | 'duplicate_login_name'
  | 'invalid_login_name'
  | 'invalid_text'
  | 'invalid_password'
  | 'last_administrator'
  | 'first_account';

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly fault: AccountFault;

  constructor(fault: AccountFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Limits of names and passwords, in characters. */
export const accountLimits = {
  minLoginName: 3,
  maxLoginName: 100,
  maxText: 200,
  minPassword: 8,
  maxPassword: 1000,
} as const;

/** The normalized form that login names are compared in. */
export function loginKey(loginName: string): string {
  return loginName.trim().normalize('NFKC').toLowerCase();
}

/** The trimmed login name. @throws AccountError `invalid_login_name` */
export function checkLoginName(loginName: string): string {
  const trimmed = loginName.trim();
  if (
    trimmed.length < accountLimits.minLoginName ||
    trimmed.length > accountLimits.maxLoginName ||
    /[\p{C}\p{Z}]/u.test(trimmed)
  ) {
    throw new AccountError(
      'invalid_login_name',
      `A login name must have ${accountLimits.minLoginName} to ${accountLimits.maxLoginName} printable characters and no spaces.`,
    );
  }
  return trimmed;
}

/** The trimmed full name or email address. @throws AccountError `invalid_text` */
export function checkText(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > accountLimits.maxText || /\p{C}/u.test(trimmed)) {
    throw new AccountError(
      'invalid_text',
      `Names and addresses can have at most ${accountLimits.maxText} printable characters.`,
    );
  }
  return trimmed;
}

/** @throws AccountError `invalid_password` */
export function checkPassword(password: string): void {
  if (password.length < accountLimits.minPassword || password.length > accountLimits.maxPassword) {
    throw new AccountError(
      'invalid_password',
      `A password must have ${accountLimits.minPassword} to ${accountLimits.maxPassword} characters.`,
    );
  }
}
