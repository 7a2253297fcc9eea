import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';
import { wireTime } from '../core/time.ts';

/** sys/rotate creates a data key for new records; sys/key-status reports the current key. */
export function rotateRoutes({ barrier }: Context): Route[] {
  const rotate: Route = {
    path: 'rotate',
    sudo: true,
    rootNamespaceOnly: true,
    operations: {
      update: async ({ now }) => {
        await barrier.rotate(now);
        return undefined;
      },
    },
  };
  return [
    rotate,
    { ...rotate, path: 'rotate/keyring' },
    {
      path: 'key-status',
      rootNamespaceOnly: true,
      operations: {
        read: () => ({
          data: { term: barrier.current.term, install_time: wireTime(barrier.current.since) },
          repeatData: true,
        }),
      },
    },
  ];
}
