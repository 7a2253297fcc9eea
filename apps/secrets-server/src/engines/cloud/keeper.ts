import type { Mount } from '../../core/mount.ts';
import { systemTtl } from '../../domain/token/token.ts';
import type { LeaseKeeper, LeaseTimes } from '../../identity/leases.ts';
import type { CloudStore } from '../../store/cloud/cloud-store.ts';
import { ProviderFault } from './provider.ts';
import type { Providers } from './providers.ts';
import type { RemovalTurns } from './turns.ts';
import type { Undoing } from './undoing.ts';

/** The engine name of cloud leases. */
export const cloudEngine = 'cloud';

/** The data of an IAM user's lease; null for temporary credentials, which expire automatically. */
export type IssuedUser = { readonly mountId: number; readonly userName: string; readonly arn: string } | null;

/** Revokes the leases of cloud engines. */
export function cloudKeeper(
  { providers, undoing, inTurn }: { providers: Providers; undoing: Undoing; inTurn: RemovalTurns },
  times: LeaseKeeper['times'],
): LeaseKeeper {
  return {
    times,
    async revoke(data) {
      const user = data as IssuedUser;
      if (user === null) return;
      await inTurn(user.mountId, async () => {
        const provider = await providers.of(user.mountId);
        if (await provider.removeUser(user.userName)) return;
        // A missing user was deleted, unless the credentials now belong to another account.
        const account = user.arn.split(':')[4] ?? '';
        if (account === (await provider.account())) return;
        throw new Error('the user belongs to another account');
      });
    },
    isUnanswered: (error) => error instanceof ProviderFault && error.unanswered,
    sweep: (now) => undoing.sweep(now),
    stop: (mount) => undoing.stop(mount),
    resume: (mount) => undoing.resume(mount),
    forget: (mount) => undoing.forget(mount),
    holds: (mount) => undoing.holds(mount),
  };
}

/** How long credentials of type iam_user last, by the settings of their engine and its mount. */
export function userTimes(store: CloudStore, mount: Mount): LeaseTimes {
  const { lease, leaseMax } = store.leaseTimes(mount.id) ?? { lease: 0, leaseMax: 0 };
  const { defaultLeaseTtl, maxLeaseTtl } = mount.config;
  return {
    ttl: lease > 0 ? lease : defaultLeaseTtl,
    maxTtl: Math.min(...[leaseMax, maxLeaseTtl, systemTtl].filter((most) => most > 0)),
  };
}
