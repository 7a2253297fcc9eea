import type { Operation } from '../../http/operation.ts';
import { listTargets as list } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';

export const listTargets: Operation<'listTargets'> = async (context, call) => {
  const { scope_id, recursive, filter, page_size, page_token } = call.query;
  const page = await list(await accessCaller(context, call), {
    scopeId: scope_id,
    recursive,
    filter,
    pageSize: page_size,
    pageToken: page_token,
  });
  return {
    items: page.items,
    ...(page.nextPageToken !== undefined && { next_page_token: page.nextPageToken }),
    est_item_count: page.estimatedCount,
  };
};
