import type { Operation } from '../../http/operation.ts';
import { getTarget as get } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';

export const getTarget: Operation<'getTarget'> = async (context, call) =>
  get(await accessCaller(context, call), call.params.id);
