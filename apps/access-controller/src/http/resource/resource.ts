import { sendJson, sendEmpty } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { FieldFaults, notFound, emptyMask } from '../../domain/refusal.ts';
import type { Resource, Within } from '../../domain/resource.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireIn, requireOn } from '../caller.ts';
import type { Operation, Context } from '../context.ts';
import { answerPage, readPageRequest } from '../paged-list.ts';
import { pathId } from '../path-id.ts';
import { readProjectScopes, withinScopes } from '../project-scopes.ts';
import { QueryReader } from '../query.ts';
import type { ResourceKind } from './kind.ts';

/** POST to a collection: creates a resource in the container that the body names. */
export function createResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    const { token, role } = requireIn(context, req, kind.type, 'create');
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
    const made = await make(fresh, token.userId);
    const item = await kind.store(context).insert(made);
    sendJson(res, 200, kind.toWire(context, role)(item));
  };
}

/** DELETE of a resource, with everything in it. */
export function deleteResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    requireOn(context, req, kind.type, 'delete');
    const id = pathId(req, ...kind.prefixes);
    await kind.store(context).remove(id, context.clock.now());
    sendEmpty(res);
  };
}

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

/** GET of a collection: a page, newest first, of a project or any scope, or of a catalog or store. */
export function listResources<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    const { role } = requireIn(context, req, kind.type, 'list');
    const faults = new FieldFaults();
    const place = readPlace(req, kind, faults);
    const request = await readPageRequest(context, req, faults);
    faults.refuseAny();

    const asked = {
      listing: kind.store(context),
      within: place.within(context),
      of: [kind.type, ...place.of],
      toWire: kind.toWire(context, role),
    };
    sendJson(res, 200, await answerPage(asked, request, context.clock.now()));
  };
}

interface Place {
  readonly of: readonly string[];
  /** @throws Refusal `not found` */
  within(context: Context): Within;
}

function readPlace<Item extends Resource>(
  req: Request,
  { container }: ResourceKind<Item>,
  faults: FieldFaults,
): Place {
  if (container.field === 'scope_id') {
    const scopes = readProjectScopes(req, faults);
    return {
      of: [scopes.scopeId, scopes.recursive ? 'recursive' : ''],
      within: (context) => withinScopes(context, scopes),
    };
  }
  const id = new QueryReader(req, faults).string(container.field);
  if (!isId(id, container.prefix)) {
    faults.add(container.field, 'This field is missing or not a valid identifier.');
  }
  return {
    of: [id],
    within(context) {
      if (container.projectOf(context, id) === undefined) throw notFound();
      return { in: id };
    },
  };
}

/** PATCH of a resource: sets the fields in the body, if its `version` is the current one. */
export function updateResource<Item extends Resource>(kind: ResourceKind<Item>): Operation {
  return async (context, req, res) => {
    const { token, role } = requireOn(context, req, kind.type, 'update');
    const id = pathId(req, ...kind.prefixes);
    const body = readObject(req);
    const faults = new FieldFaults();
    const version = new MemberReader(body, faults).version();
    const change = kind.readChange(context, id, body, faults);
    faults.refuseAny();
    if (change === undefined) throw emptyMask();

    const store = kind.store(context);
    const seen = typeof change === 'function' ? undefined : store.get(id);
    // If the item is gone or has another version, the write refuses the change, without asking another service.
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
