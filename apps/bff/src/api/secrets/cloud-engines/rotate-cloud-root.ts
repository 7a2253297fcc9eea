import { cannotTell } from '#audit/became.ts';
import { outcomeUnknown } from '#conflict/guarded-write.ts';
import { inTurn } from '#conflict/in-turn.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { cloudCaller, cloudResource } from '#shared/secrets/cloud-calls.ts';
import { orDenied } from '#shared/secrets/stored-secret.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readRoot, rotateRoot } from '#upstreams/secrets-server/cloud.ts';
import { ServiceError } from '#upstreams/service-error.ts';

export const rotateCloudRoot: Operation<'cloudEngines.rotateRoot'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const { mount } = call.params;
    const caller = await cloudCaller(context, call, true);
    const resource = cloudResource(caller, 'cloud-root', mount);
    return inTurn(resource, () => rotate(caller, mount));
  },
);

async function rotate(caller: SecretsCaller, mount: string) {
  const before = await orDenied(readRoot(caller, mount));
  const previous_access_key = before === 'denied' ? '' : (before?.access_key ?? '');
  try {
    return { previous_access_key, ...told(await rotateRoot(caller, mount)) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.delivery !== 'unknown') throw error;
    // The answer is lost: a key that is another one by now is the new one.
    const after = await orDenied(readRoot(caller, mount)).catch(() => 'denied' as const);
    const access_key = after === 'denied' ? '' : (after?.access_key ?? '');
    if (access_key === '' || previous_access_key === '' || access_key === previous_access_key) {
      throw outcomeUnknown({ resource: cloudResource(caller, 'cloud-root', mount) }, error);
    }
    return { access_key, previous_access_key, warnings: [] };
  }
}

function told({ access_key, warnings }: Awaited<ReturnType<typeof rotateRoot>>) {
  return { access_key, warnings: [...warnings] };
}
