import { fieldsOfPlugin, pluginChanges, type Plugin } from '@gatehouse/api-types/console/plugins';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { atPlugin, keyOf, withHex } from '#shared/secrets/plugin-calls.ts';
import {
  checkChangeable,
  checkKept,
  fieldsNotKept,
  noPlugin,
  pluginResource,
  readRegistration,
  readWholePlugin,
} from '#shared/secrets/stored-plugin.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { wished } from '#shared/secrets/wished.ts';
import { registerPlugin } from '#upstreams/secrets-server/plugins.ts';

/** Registering replaces all of a registration: what is not changed is sent again, but an environment can't be read. */
export const updatePlugin: Operation<'plugins.update'> = audited(
  {
    became: atPlugin(async (caller, key, wish) => {
      const stored = await readRegistration(caller, key);
      const sent = wished(pluginChanges, wish);
      // An environment can't be read: what looks as before may have another one.
      if (stored === null || sent === undefined || wish.secret) return 'unknown';
      if (stored.revision === wish.revision) return 'failed';
      return fieldsNotKept(stored, withHex(sent)).length === 0 ? 'succeeded' : 'unknown';
    }),
  },
  async (context, call) => {
    if (Object.values(call.body).every((value) => value === undefined)) {
      throw new ProblemError('invalid-request', "The request doesn't change any field.");
    }
    const key = keyOf(call.params.plugin);
    const { env, ...changes } = withHex(call.body);
    const caller = await secretsCaller(context, call);
    let fields: ReturnType<typeof fieldsOfPlugin> | undefined;
    const read = async (): Promise<Plugin> => {
      const stored = await readRegistration(caller, key);
      if (stored === null) throw noPlugin(caller);
      return stored;
    };
    const stored = await guardedWrite<Plugin>({
      resource: pluginResource(caller, key),
      expected: call.revision,
      readFirst: true,
      read: () => readRegistration(caller, key),
      revisionOf: ({ revision }) => revision,
      judge: (stored) => {
        checkChangeable(caller, stored);
        fields = { ...fieldsOfPlugin(stored), ...changes };
      },
      failed: whatFailed,
      send: async () => {
        const sent = fields ?? { ...fieldsOfPlugin(await read()), ...changes };
        await registerPlugin(caller, key, { ...sent, env });
        const stored = await read();
        checkKept(caller, stored, sent);
        return stored;
      },
      equalsSent: (stored) => env === undefined && fieldsNotKept(stored, changes).length === 0,
    });
    // What was done stays done, though nothing more can be read.
    return readWholePlugin(caller, key).catch(() => stored);
  },
);
