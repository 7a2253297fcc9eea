import { sendEmpty } from '@gatehouse/service-kit/http';
import type { Resource } from '../../domain/resource.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import type { ResourceKind } from './kind.ts';

/** DELETE of a resource: it and all that is in it. */
export function deleteResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    requireOn(context, req, kind.type, 'delete');
    const id = pathId(req, ...kind.prefixes);
    await kind.store(context).remove(id, context.clock.now());
    sendEmpty(res);
  };
}
