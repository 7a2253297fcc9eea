import { sendJson } from '@gatehouse/service-kit/http';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { Refusal } from '../../domain/refusal.ts';
import type { ModuleFilter } from '../../store/module-list.ts';
import { findCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { pageBody, readPage } from '../paging.ts';
import { parameter, segment } from '../request.ts';
import { wireModule } from '../wire.ts';

const maxQuery = 200;
/** Each is searched for in every module. */
const maxWords = 8;

/** GET /v1/modules and /v1/modules/:namespace: modules in order of creation, each with its latest version. */
export const listModules: Operation = async (context, req, res, slices) => {
  const namespace = segment(req, 'namespace');
  const filter = { ...filterOf(req), ...(namespace !== '' && { namespace }) };
  sendJson(res, 200, await pageOf(context, req, filter, slices));
};

/** GET /v1/modules/search: modules whose address or description contains every word of `q`. */
export const searchModules: Operation = async (context, req, res, slices) => {
  const query = parameter(req, 'q')?.trim() ?? '';
  if (query === '') throw new Refusal('malformed', 'Query string must be specified');
  if (query.length > maxQuery) throw new Refusal('malformed', `q has more than ${maxQuery} characters`);
  const words = [...new Set(query.toLowerCase().split(/\s+/))];
  if (words.length > maxWords) throw new Refusal('malformed', `q has more than ${maxWords} words`);
  const namespace = parameter(req, 'namespace');
  const filter = { ...filterOf(req), words, ...(namespace !== undefined && { namespace }) };
  sendJson(res, 200, await pageOf(context, req, filter, slices));
};

/** GET /v1/modules/:namespace/:name: the latest version for each provider. */
export const listProviders: Operation = async (context, req, res, slices) => {
  const filter = { namespace: segment(req, 'namespace'), name: segment(req, 'name') };
  if (context.modules.providers(filter).length === 0) throw new Refusal('not found', 'Module not found');
  sendJson(res, 200, await pageOf(context, req, filter, slices));
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

async function pageOf(
  context: Context,
  req: Request,
  filter: ModuleFilter,
  slices: Slices,
): Promise<unknown> {
  // Reading needs no token, but a void token is refused.
  findCaller(context, req);
  const page = readPage(req);
  const found = await context.modules.list(filter, page.offset, page.limit + 1, slices);
  return pageBody(req, page, found, ({ module, latest }) => wireModule(module, latest));
}
