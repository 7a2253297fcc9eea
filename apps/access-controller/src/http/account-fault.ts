import { AccountError } from '@gatehouse/service-kit/accounts';
import { Refusal, invalidField, notFound } from '../domain/refusal.ts';
import type { FieldFaults } from '../domain/refusal.ts';

/** What of a request an account store's refusal is about. */
export interface AccountRequest {
  /** `User "u_…"` or `Account "acctpw_…"`, to begin a sentence with. */
  readonly what: string;
  /** Field that holds a new password. */
  readonly passwordField: string;
}

/**
 * Runs a change of accounts; what the store refuses is refused in the service's own form.
 * @throws Refusal
 */
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

/** Runs a check of the account store's; what it finds is noted as a fault of the field. */
export function noteAccountFault(field: string, faults: FieldFaults, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    faults.add(field, error.message);
  }
}
