import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults, emptyMask } from '../../domain/refusal.ts';
import type { Resource } from '../../domain/resource.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import type { ResourceKind } from './kind.ts';

/** PATCH of a resource: sets the fields that the body names, if its `version` is the current one. */
export function updateResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    const { role, token } = requireOn(context, req, kind.type, 'update');
    const id = pathId(req, ...kind.prefixes);
    const body = readObject(req);
    const faults = new FieldFaults();
    const version = new MemberReader(body, faults).version();
    const change = kind.readChange(context, id, body, faults);
    faults.refuseAny();
    if (change === undefined) throw emptyMask();

    const store = kind.store(context);
    const seen = typeof change === 'function' ? undefined : store.get(id);
    // One that is gone or has another version is refused by the write, without asking anyone.
    const apply =
      typeof change === 'function'
        ? change
        : seen === undefined || seen.version !== version
          ? (current: Item): Item => current
          : await change.ask(seen, token.userId);
    const item = await store.change(id, version ?? 0, (current) => ({
      ...apply(current),
      updatedTime: context.clock.now(),
    }));
    sendJson(res, 200, kind.toWire(context, role)(item));
  };
}
