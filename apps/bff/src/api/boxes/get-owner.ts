import type { Operation } from '../../http/operation.ts';
import { readOwner } from '../../upstreams/box-registry/boxes.ts';
import { boxesCaller } from './caller.ts';

export const getOwner: Operation<'getOwner'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const owner = await readOwner(caller, call.params.username);
  const isOwn = owner.username === caller.username;
  return { ...owner, may: owner.may ?? (isOwn ? { publish: true, manage: false } : null) };
};
