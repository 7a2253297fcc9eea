import type { Box } from '@gatehouse/api-types/console/boxes';
import { onceWritten } from '#conflict/guarded-write.ts';
import type { Context } from '#operation/context.ts';
import { resource, audited, type Operation, compressed } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { searchBoxes as search, readBox } from '#upstreams/box-registry/boxes.ts';
import { mayIn, readDailyDownloads } from '#upstreams/box-registry/management.ts';
import { knowsArchitectures } from '#upstreams/box-registry/spoken-version.ts';
import { inBoxes, boxesCaller } from '../caller.ts';
import { boxes } from '../kinds.ts';
import { deleteRecord, updateRecord, notThere, createRecord } from '../records.ts';

const create = createRecord(boxes);

const createBox: Operation<'boxes.create'> = audited(create, async (context, call) => {
  return withRights(context, call, await create(context, call));
});

const getBox: Operation<'boxes.get'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const [box, may] = await Promise.all([readBox(caller, call.params), mayIn(caller, call.params.username)]);
  if (box === null) throw notThere(caller, 'box');
  return { ...box, may };
};

const getBoxDownloads: Operation<'boxes.downloads'> = async (context, call) => ({
  daily: await readDailyDownloads(await boxesCaller(context, call), call.params),
});

const defaultLimit = 25;

const searchBoxes: Operation<'boxes.search'> = compressed(async (context, call) => {
  const { page = 1, limit = defaultLimit, q, provider, architecture, ...order } = call.query;
  const query = {
    ...order,
    q: q || undefined,
    provider: provider || undefined,
    architecture: architecture || undefined,
  };
  const caller = await boxesCaller(context, call);
  // The registry reports no total. Reading the first box after this page shows whether there are more.
  const [boxes, next, knows_architectures] = await Promise.all([
    search(caller, { ...query, page, limit }),
    search(caller, { ...query, page: page * limit + 1, limit: 1 }),
    knowsArchitectures(caller),
  ]);
  return { boxes: [...boxes], more: boxes.length === limit && next.length > 0, knows_architectures };
});

const update = updateRecord(boxes);

const updateBox: Operation<'boxes.update'> = audited(update, async (context, call) => {
  return withRights(context, call, await update(context, call));
});

/** A box that was written, with the caller's rights. */
async function withRights(context: Context, call: ServiceCall, stored: Box): Promise<Box> {
  const may = await onceWritten(async () => mayIn(await boxesCaller(context, call), stored.username));
  return { ...stored, may };
}

export const boxOperations = resource(inBoxes, {
  'boxes.search': searchBoxes,
  'boxes.get': getBox,
  'boxes.downloads': getBoxDownloads,
  'boxes.create': createBox,
  'boxes.update': updateBox,
  'boxes.delete': deleteRecord(boxes),
});
