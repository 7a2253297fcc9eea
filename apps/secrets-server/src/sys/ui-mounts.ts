import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';
import { mapText } from '../core/json/map-text.ts';
import type { Mount } from '../core/mount.ts';
import { Refusal, permissionDenied } from '../core/refusal.ts';
import { mountWire } from './mount-wire.ts';

/** The number of mounts judged in one go; with the largest policies, each takes up to 1 ms. */
const mountsInOneGo = 5;

/**
 * sys/internal/ui/mounts: the mounts that the caller can reach, and the mount of a path. Each `kv` command line starts
 * with this request. It needs no policy.
 */
export function uiMountRoutes({ mounts, authorizer }: Context): Route[] {
  return [
    {
      path: 'internal/ui/mounts',
      operations: {
        read: async ({ namespace, caller, giveWay }) => {
          const secret = new Map<string, unknown>();
          const auth = new Map<string, unknown>();
          for (const [index, mount] of mounts.list(namespace).entries()) {
            if (caller === undefined) break;
            if (index % mountsInOneGo === mountsInOneGo - 1) {
              await giveWay();
              // The caller's policies may have changed.
              await authorizer.prepare(caller, giveWay);
            }
            if (!authorizer.reaches(caller, namespace, mount.path)) continue;
            const isAuth = mount.path.startsWith('auth/');
            const path = isAuth ? mount.path.slice('auth/'.length) : mount.path;
            (isAuth ? auth : secret).set(path, mountWire(mount));
          }
          const text = await mapText(secret, giveWay, 'ask for one mount at a time');
          return { data: { auth: Object.fromEntries(auth), secret: text } };
        },
      },
    },
    {
      path: 'internal/ui/mounts/*path',
      operations: {
        read: ({ namespace, caller }, { path = '' }) => {
          if (caller === undefined) throw permissionDenied();
          const mount: Mount | undefined = mounts.find(namespace, path.endsWith('/') ? path : `${path}/`);
          if (mount === undefined || !authorizer.reaches(caller, namespace, mount.path)) {
            throw new Refusal(403, [
              `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
            ]);
          }
          return { data: { ...mountWire(mount), path: mount.path } };
        },
      },
    },
  ];
}
