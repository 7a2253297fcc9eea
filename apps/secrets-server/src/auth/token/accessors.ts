import type { Route } from '../../core/backend.ts';
import type { Identity } from '../../identity/identity.ts';

/** LIST auth/token/accessors: the accessors of a namespace's tokens. */
export function accessorsRoute({ tokens }: Identity): Route {
  return {
    path: 'accessors',
    sudo: true,
    operations: {
      list: ({ namespace, now }) => {
        const keys = tokens.accessors(namespace, now);
        return keys.length === 0 ? undefined : { data: { keys } };
      },
    },
  };
}
