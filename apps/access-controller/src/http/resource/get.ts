import { sendJson } from '@gatehouse/service-kit/http';
import { notFound } from '../../domain/refusal.ts';
import type { Resource } from '../../domain/resource.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import type { ResourceKind } from './kind.ts';

/** GET of a resource. */
export function getResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return (context, req, res) => {
    const { role } = requireOn(context, req, kind.type, 'read');
    const id = pathId(req, ...kind.prefixes);
    const item = kind.store(context).get(id);
    if (item === undefined) throw notFound();
    sendJson(res, 200, kind.toWire(context, role)(item));
  };
}
