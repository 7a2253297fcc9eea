import { AccountError } from '@gatehouse/service-kit/accounts';
import { Refusal, invalidField, notFound } from '../domain/refusal.ts';
import type { FieldFaults } from '../domain/refusal.ts';

/** The parts of a request that a refusal of the account store refers to. */
export interface AccountRequest {
  /** `User "u_…"` or `Account "acctpw_…"`, the subject of a sentence. */
  readonly what: string;
  /** The field with the new password. */
  readonly passwordField: string;
}

/** Runs a change of accounts, and turns the account store's refusal into the service's own. @throws Refusal */
export async function changingAccounts<Result>(
  { what, passwordField }: AccountRequest,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    switch (error.fault) {
      case 'not_found':
        throw notFound();
      case 'stale_version':
        throw new Refusal('not found or stale', `${what} not found or incorrect version provided.`);
      case 'duplicate_login_name':
        throw new Refusal(
          'duplicate name',
          'Invalid request.  Request attempted to make second resource with the same field value that must be unique.',
          [{ name: 'login_name', description: error.message }],
        );
      case 'invalid_login_name':
        throw invalidField('login_name', error.message);
      case 'invalid_password':
        throw invalidField(passwordField, error.message);
      case 'invalid_text':
      case 'last_administrator':
      case 'first_account':
        throw new Refusal('failed precondition', error.message);
    }
  }
}

/** Runs a check of the account store, and adds its refusal to the field's faults. */
export function noteAccountFault(field: string, faults: FieldFaults, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    faults.add(field, error.message);
  }
}
