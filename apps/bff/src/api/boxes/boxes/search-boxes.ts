import { compressed, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { searchBoxes as search } from '#upstreams/box-registry/boxes.ts';
import { knowsArchitectures } from '#upstreams/box-registry/spoken-version.ts';

const defaultLimit = 25;

export const searchBoxes: Operation<'boxes.search'> = compressed(async (context, call) => {
  const { page = 1, limit = defaultLimit, q, provider, architecture, ...order } = call.query;
  const query = {
    ...order,
    q: q || undefined,
    provider: provider || undefined,
    architecture: architecture || undefined,
  };
  const caller = await boxesCaller(context, call);
  // The registry does not tell how many there are: the first one after this page tells whether there are more.
  const [boxes, next, knows_architectures] = await Promise.all([
    search(caller, { ...query, page, limit }),
    search(caller, { ...query, page: page * limit + 1, limit: 1 }),
    knowsArchitectures(caller),
  ]);
  return { boxes: [...boxes], more: boxes.length === limit && next.length > 0, knows_architectures };
});
