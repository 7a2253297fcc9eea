import { sendJson } from '@gatehouse/service-kit/http';
import type { Request } from 'express';
import { Refusal } from '../../domain/refusal.ts';
import type { ModuleFilter } from '../../store/modules.ts';
import { findCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { pageBody, readPage } from '../paging.ts';
import { parameter, segment } from '../request.ts';
import { wireModule } from '../wire.ts';

const maxQuery = 200;

/** GET /v1/modules and /v1/modules/:namespace: modules in order of creation, each with its latest version. */
export const listModules: Operation = (context, req, res) => {
  const namespace = segment(req, 'namespace');
  sendJson(res, 200, pageOf(context, req, { ...filterOf(req), ...(namespace !== '' && { namespace }) }));
};

/** GET /v1/modules/search: modules whose address or description contains every word of `q`. */
export const searchModules: Operation = (context, req, res) => {
  const query = parameter(req, 'q')?.trim() ?? '';
  if (query === '') throw new Refusal('malformed', 'Query string must be specified');
  if (query.length > maxQuery) throw new Refusal('malformed', `q has more than ${maxQuery} characters`);
  const namespace = parameter(req, 'namespace');
  const words = query.toLowerCase().split(/\s+/);
  sendJson(
    res,
    200,
    pageOf(context, req, { ...filterOf(req), words, ...(namespace !== undefined && { namespace }) }),
  );
};

/** GET /v1/modules/:namespace/:name: the latest version for each provider. */
export const listProviders: Operation = (context, req, res) => {
  const filter = { namespace: segment(req, 'namespace'), name: segment(req, 'name') };
  if (context.modules.list(filter, 0, 1).length === 0) throw new Refusal('not found', 'Module not found');
  sendJson(res, 200, pageOf(context, req, filter));
};

function filterOf(req: Request): ModuleFilter {
  const provider = parameter(req, 'provider');
  // This registry's addition to the protocol.
  const deprecated = parameter(req, 'deprecated');
  return {
    ...(provider !== undefined && { provider }),
    ...(parameter(req, 'verified') === 'true' && { verified: true }),
    ...((deprecated === 'true' || deprecated === 'false') && { deprecated: deprecated === 'true' }),
  };
}

function pageOf(context: Context, req: Request, filter: ModuleFilter): unknown {
  // Reading needs no token, but a void token is refused.
  findCaller(context, req);
  const page = readPage(req);
  const found = context.modules.list(filter, page.offset, page.limit + 1);
  return pageBody(req, page, found, ({ module, latest }) => wireModule(module, latest));
}
