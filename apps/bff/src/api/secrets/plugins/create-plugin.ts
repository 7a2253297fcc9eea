import { newPlugin } from '@gatehouse/api-types/console/plugins';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { guardedCreate } from '#shared/secrets/guarded-create.ts';
import { atPlugin, newAddress, newKeyOf, withHex } from '#shared/secrets/plugin-calls.ts';
import {
  checkKept,
  fieldsNotKept,
  noPlugin,
  pluginResource,
  readRegistration,
  readWholePlugin,
} from '#shared/secrets/stored-plugin.ts';
import { wished } from '#shared/secrets/wished.ts';
import { registerPlugin } from '#upstreams/secrets-server/plugins.ts';

export const createPlugin: Operation<'plugins.create'> = audited(
  {
    address: ({ body }) => newAddress(body),
    became: atPlugin(async (caller, key, wish) => {
      const stored = await readRegistration(caller, key);
      if (stored === null) return 'failed';
      const sent = wished(newPlugin, wish);
      // An environment that was sent is kept nowhere: whether it is the one can't be known.
      if (wish.secret || sent === undefined) return 'unknown';
      return fieldsNotKept(stored, withHex(sent)).length === 0 ? 'succeeded' : 'unknown';
    }),
  },
  async (context, call) => {
    const { type, name, version, ...body } = call.body;
    const key = newKeyOf({ type, name, version });
    const { env, ...fields } = withHex(body);
    const caller = await secretsCaller(context, call);
    const stored = await guardedCreate({
      resource: pluginResource(caller, key),
      revisionOf: ({ revision }) => revision,
      read: () => readRegistration(caller, key),
      send: async () => {
        await registerPlugin(caller, key, { ...fields, env });
        const stored = await readRegistration(caller, key);
        if (stored === null) throw noPlugin(caller);
        checkKept(caller, stored, fields);
        return stored;
      },
      equalsSent: (stored) => env === undefined && fieldsNotKept(stored, fields).length === 0,
    });
    // What was done stays done, though nothing more can be read.
    return readWholePlugin(caller, key).catch(() => stored);
  },
);
