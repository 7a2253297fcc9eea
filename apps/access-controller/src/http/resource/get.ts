import { sendJson } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { notFound } from '../../domain/refusal.ts';
import type { Resource } from '../../domain/resource.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import type { ResourceKind } from './kind.ts';

/** GET of a resource. */
export function getResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return (context, req, res) => {
    const { role } = requireCaller(context, req);
    const id = pathId(req, ...kind.prefixes);
    requireOn(kind.type, role, 'read');
    const item = kind.store(context).get(id);
    if (item === undefined) throw notFound();
    sendJson(res, 200, kind.toWire(context, role)(item));
  };
}
