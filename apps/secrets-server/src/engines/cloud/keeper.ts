import type { LeaseKeeper } from '../../identity/leases.ts';
import { ProviderFault } from './provider.ts';
import type { Providers } from './providers.ts';
import type { Undoing } from './undoing.ts';

/** Name that leases of cloud engines are kept under. */
export const cloudEngine = 'cloud';

/** What a lease of an IAM user is kept with; null for temporary credentials, which end by themselves. */
export type IssuedUser = { readonly mountId: number; readonly userName: string; readonly arn: string } | null;

/** Takes back what cloud engines issue. */
export function cloudKeeper(providers: Providers, undoing: Undoing): LeaseKeeper {
  return {
    async revoke(data) {
      const user = data as IssuedUser;
      if (user === null) return;
      const provider = await providers.of(user.mountId);
      if (await provider.removeUser(user.userName)) return;
      // Not there: it is gone, unless the credentials are those of another account now.
      const account = user.arn.split(':')[4] ?? '';
      if (account === (await provider.account())) return;
      throw new Error('the user belongs to another account');
    },
    isUnanswered: (error) => error instanceof ProviderFault && error.unanswered,
    sweep: (now) => undoing.sweep(now),
    stop: (mount) => undoing.stop(mount),
    resume: (mount) => undoing.resume(mount),
    forget: (mount) => undoing.forget(mount),
    holds: (mount) => undoing.holds(mount),
  };
}
