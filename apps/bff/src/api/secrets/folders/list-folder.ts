import { compressed, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { compareKeys, folderItem } from '#shared/secrets/folder-items.ts';
import { listKeys } from '#upstreams/secrets-server/metadata.ts';

const usualPage = 1_000;

export const listFolder: Operation<'secrets.listFolder'> = compressed(async (context, call) => {
  const { mount } = call.params;
  const { path: folder = '', after = '', page_size: size = usualPage } = call.query;
  const caller = await secretsCaller(context, call);
  // One more than the page tells whether another one follows.
  const told = await listKeys(
    caller,
    { mount, path: folder },
    {
      ...(after !== '' && { after }),
      limit: size + 1,
    },
  );
  // A server that knows no pages tells everything, in its own order.
  const isAll = after === '' ? told.length !== size + 1 : told.length > size + 1;
  const keys = told.filter((key) => compareKeys(key, after) > 0).sort(compareKeys);
  const page = keys.slice(0, size);
  const last = page.at(-1);
  return {
    items: page.map((key) => folderItem(folder, key)),
    ...(keys.length > size && last !== undefined && { next_after: last }),
    total: isAll ? told.length : null,
  };
});
