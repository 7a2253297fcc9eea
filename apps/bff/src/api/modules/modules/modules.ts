import { guardedWrite } from '#conflict/guarded-write.ts';
import { resource, audited, type Operation, compressed } from '#operation/operation.ts';
import { verify, readConsumers, readDaily } from '#upstreams/module-registry/management.ts';
import { searchModules as search, readModule, readDownloads } from '#upstreams/module-registry/modules.ts';
import { verified } from '../became.ts';
import { inModules, modulesCaller } from '../caller.ts';
import { notThere, storedModule } from '../versions.ts';

const getModuleDownloads: Operation<'modules.downloads'> = compressed(async (context, call) => {
  const caller = await modulesCaller(context, call);
  const [summary, daily] = await Promise.all([
    readDownloads(caller, call.params),
    readDaily(caller, call.params),
  ]);
  return { ...summary, ...(daily ?? { daily: null, daily_since: null }) };
});

const getModule: Operation<'modules.get'> = compressed(async (context, call) => {
  const caller = await modulesCaller(context, call);
  const found = await readModule(caller, call.params);
  if (found === null) throw notThere(caller, 'module');
  return found.module;
});

const listModuleConsumers: Operation<'modules.consumers'> = compressed(async (context, call) => ({
  consumers: await readConsumers(await modulesCaller(context, call), call.params),
}));

const defaultLimit = 50;

const searchModules: Operation<'modules.search'> = compressed(async (context, call) => {
  const { q = '', namespace = '', provider, verified, deprecated, offset = 0, limit } = call.query;
  return search(await modulesCaller(context, call), {
    q,
    namespace,
    provider: provider || undefined,
    verified,
    deprecated,
    offset,
    limit: limit ?? defaultLimit,
  });
});

const verifyModule: Operation<'modules.verify'> = audited({ became: verified }, async (context, call) => {
  const caller = await modulesCaller(context, call);
  const { record, etag } = storedModule(caller, call.params);
  return guardedWrite({
    ...record,
    note: call.note,
    expected: call.revision,
    readFirst: true,
    equalsSent: (stored) => stored.verified === call.body.verified,
    send: async () => {
      await verify(caller, call.params, call.body.verified, etag());
      const stored = await record.read();
      if (stored === null) throw notThere(caller, 'module');
      return stored;
    },
  });
});

export const moduleOperations = resource(inModules, {
  'modules.search': searchModules,
  'modules.get': getModule,
  'modules.downloads': getModuleDownloads,
  'modules.consumers': listModuleConsumers,
  'modules.verify': verifyModule,
});
