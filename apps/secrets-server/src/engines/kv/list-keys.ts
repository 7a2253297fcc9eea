import type { Handler } from '../../core/backend.ts';
import type { ListKeys } from '../../store/kv/list-keys.ts';
import { numberParameter } from './parameters.ts';

/** Lists a folder: names of keys, and of folders with a slash. `after` and `limit` ask for a part of a long one. */
export function listKeys(list: ListKeys): Handler {
  return (request, { path = '' }) => {
    const keys = list(request.mount.id, path === '' ? '' : `${path}/`, {
      after: request.query.get('after') ?? '',
      limit: numberParameter(request, 'limit'),
    });
    return keys.length === 0 ? undefined : { data: { keys } };
  };
}
