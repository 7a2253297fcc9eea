import type { Route } from '../core/backend.ts';
import type { MountTableStore } from '../store/mounts.ts';
import { mountWire } from './mount-wire.ts';

const prefix = 'auth/';

/** sys/auth: the auth methods of a namespace. They are fixed. */
export function authMountRoute(mounts: MountTableStore): Route {
  return {
    path: 'auth',
    operations: {
      read: ({ namespace }) => ({
        data: Object.fromEntries(
          mounts
            .list(namespace)
            .filter(({ path }) => path.startsWith(prefix))
            .map((mount) => [mount.path.slice(prefix.length), mountWire(mount)]),
        ),
        repeatData: true,
      }),
    },
  };
}
