import type { Operation } from '../../http/operation.ts';
import { readOwner } from '../../upstreams/box-registry/boxes.ts';
import { mayIn, readNamespace } from '../../upstreams/box-registry/management.ts';
import { boxesCaller } from './caller.ts';

export const getOwner: Operation<'getOwner'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const { username } = call.params;
  const [owner, namespace, may] = await Promise.all([
    readOwner(caller, username),
    readNamespace(caller, username),
    mayIn(caller, username),
  ]);
  return { ...owner, kind: namespace?.kind ?? null, may };
};
