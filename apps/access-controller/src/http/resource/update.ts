import { sendJson } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { FieldFaults, emptyMask } from '../../domain/refusal.ts';
import type { Resource } from '../../domain/resource.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import type { ResourceKind } from './kind.ts';

/** PATCH of a resource: sets the fields that the body names, if its `version` is the current one. */
export function updateResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    const { role } = requireCaller(context, req);
    const id = pathId(req, ...kind.prefixes);
    const body = readObject(req);
    const faults = new FieldFaults();
    const version = new MemberReader(body, faults).version();
    const change = kind.readChange(context, id, body, faults);
    faults.refuseAny();
    if (change === undefined) throw emptyMask();
    requireOn(kind.type, role, 'update');

    const item = await kind.store(context).change(id, version ?? 0, (current) => ({
      ...change(current),
      updatedTime: context.clock.now(),
    }));
    sendJson(res, 200, kind.toWire(context, role)(item));
  };
}
