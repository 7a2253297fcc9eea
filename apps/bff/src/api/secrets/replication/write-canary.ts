import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { writeCanary as write } from '#upstreams/secrets-server/replication-changes.ts';

export const writeCanary: Operation<'replication.writeCanary'> = audited(
  { became: cannotTell },
  async (context, call) => ({ seq: await write(await secretsCaller(context, call)) }),
);
