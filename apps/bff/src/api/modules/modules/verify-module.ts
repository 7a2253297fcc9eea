import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { verified } from '#shared/modules/became.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { notThere, storedModule } from '#shared/modules/versions.ts';
import { verify } from '#upstreams/module-registry/management.ts';

export const verifyModule: Operation<'modules.verify'> = audited(
  { became: verified },
  async (context, call) => {
    const caller = await modulesCaller(context, call);
    const { record, etag } = storedModule(caller, call.params);
    return guardedWrite({
      ...record,
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
  },
);
