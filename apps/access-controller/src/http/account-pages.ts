import type { Account, AccountStore } from '@gatehouse/service-kit/accounts';
import type { Pages } from '../store/listing.ts';

/** The accounts, all of which belong to the global scope: none within any other. */
export function accountPages(accounts: AccountStore): Pages<Account> {
  return {
    page: (within, after, limit) => ({
      items: within === 'all' ? accounts.page(after, limit) : [],
      isFull: false,
    }),
    count: (within) => (within === 'all' ? accounts.count() : 0),
  };
}
