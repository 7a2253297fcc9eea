import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import { FieldFaults, notFound } from '../../domain/refusal.ts';
import type { Resource } from '../../domain/resource.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import type { ResourceKind } from './kind.ts';

/** POST of a collection: a new resource in the container that the body names. */
export function createResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    const { role, token } = requireIn(context, req, kind.type, 'create');
    const body = readObject(req);
    const faults = new FieldFaults();
    const { field, prefix } = kind.container;
    const containerId = new MemberReader(body, faults).string(field) ?? '';
    if (!isId(containerId, prefix)) faults.add(field, 'This field is missing or not a valid identifier.');
    const make = kind.readNew(context, body, faults);
    faults.refuseAny();

    const projectId = kind.container.projectOf(context, containerId);
    if (projectId === undefined) throw notFound();
    const now = context.clock.now();
    const fresh = { projectId, containerId, createdTime: now, updatedTime: now, version: 1 };
    const item = await kind.store(context).insert(await make(fresh, token.userId));
    sendJson(res, 200, kind.toWire(context, role)(item));
  };
}
