import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';
import { booleanField, textField } from '../core/fields.ts';
import { badRequest } from '../core/refusal.ts';
import { sealStatus } from './status.ts';

/** sys/seal wipes the keys from memory; sys/unseal restores them with the root key. */
export function sealRoutes(context: Context): Route[] {
  const { barrier, log } = context;
  return [
    {
      path: 'seal',
      sudo: true,
      rootNamespaceOnly: true,
      operations: {
        update: () => {
          barrier.lock();
          log.warn('sealed');
          return undefined;
        },
      },
    },
    {
      path: 'unseal',
      withoutToken: true,
      whileSealed: true,
      rootNamespaceOnly: true,
      fields: ['key', 'reset', 'migrate'],
      operations: {
        update: ({ body }) => {
          const key = textField(body, 'key') ?? '';
          if (booleanField(body, 'reset') === true) return { bare: sealStatus(context) };
          if (key === '') {
            throw badRequest("'key' must be specified in request body as JSON, or 'reset' set to true");
          }
          if (barrier.sealed) {
            if (!barrier.unlock(key)) throw badRequest('unseal key is not the root key');
            log.warn('unsealed');
          }
          return { bare: sealStatus(context) };
        },
      },
    },
  ];
}
