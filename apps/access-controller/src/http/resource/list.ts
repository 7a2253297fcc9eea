import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { FieldFaults, notFound } from '../../domain/refusal.ts';
import type { Resource, Within } from '../../domain/resource.ts';
import { requireIn } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { answerPage, readPageRequest } from '../paged-list.ts';
import { readProjectScopes, withinScopes } from '../project-scopes.ts';
import { QueryReader } from '../query.ts';
import type { ResourceKind } from './kind.ts';

/** GET of a collection: pages, newest first, of what is in a project or any scope, or in a catalog or store. */
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
