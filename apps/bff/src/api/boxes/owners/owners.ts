import { resource, type Operation } from '#operation/operation.ts';
import { readOwner } from '#upstreams/box-registry/boxes.ts';
import { mayIn, readNamespace } from '#upstreams/box-registry/management.ts';
import { inBoxes, boxesCaller } from '../caller.ts';

const getOwner: Operation<'boxOwners.get'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const { username } = call.params;
  const [owner, namespace, may] = await Promise.all([
    readOwner(caller, username),
    readNamespace(caller, username),
    mayIn(caller, username),
  ]);
  return { ...owner, kind: namespace?.kind ?? null, may };
};

export const ownerOperations = resource(inBoxes, {
  'boxOwners.get': getOwner,
});
