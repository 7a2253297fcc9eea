import type { Operation } from '../../http/operation.ts';
import { listOrganizations, readTwoFactor } from '../../upstreams/box-registry/management.ts';
import { serverUrl } from '../../upstreams/box-registry/resources.ts';
import { boxesCaller } from './caller.ts';

export const getBoxAccount: Operation<'getBoxAccount'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const { username } = caller;
  const [managed, two_factor] = await Promise.all([listOrganizations(caller), readTwoFactor(caller)]);
  const own = { username, kind: 'person' } as const;
  return {
    username,
    namespaces: [
      ...(managed === null || managed.ownMay.publish ? [own] : []),
      ...(managed?.organizations ?? [])
        .filter(({ may }) => may?.publish === true)
        .map((one) => ({ username: one.username, kind: 'organization' as const })),
    ],
    namespaces_complete: managed !== null,
    organizations: managed === null ? null : { may_create: managed.mayCreate },
    two_factor,
    server_url: serverUrl(caller.registry),
  };
};
