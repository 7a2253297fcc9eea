import { resource, type Operation } from '#operation/operation.ts';
import { listNamespaces, listOrganizations, readTwoFactor } from '#upstreams/box-registry/management.ts';
import { serverUrl } from '#upstreams/box-registry/resources.ts';
import { knowsArchitectures } from '#upstreams/box-registry/spoken-version.ts';
import { inBoxes, boxesCaller } from '../caller.ts';

const getBoxAccount: Operation<'boxAccount.get'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const { username } = caller;
  const [namespaces, organizations, two_factor, knows_architectures] = await Promise.all([
    listNamespaces(caller),
    listOrganizations(caller),
    readTwoFactor(caller),
    knowsArchitectures(caller),
  ]);
  return {
    username,
    namespaces: namespaces?.map((one) => ({ username: one.username, kind: one.kind })) ?? [
      { username, kind: 'person' },
    ],
    namespaces_complete: namespaces !== null,
    organizations: organizations === null ? null : { may_create: organizations.mayCreate },
    two_factor,
    knows_architectures,
    server_url: serverUrl(caller.registry),
  };
};

export const accountOperations = resource(inBoxes, {
  'boxAccount.get': getBoxAccount,
});
