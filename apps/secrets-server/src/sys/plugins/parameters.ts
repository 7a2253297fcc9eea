import type { Params } from '../../core/backend.ts';
import { badRequest } from '../../core/refusal.ts';
import { isPluginType } from '../../domain/plugin/plugin.ts';
import type { PluginKey } from '../../domain/plugin/plugin.ts';

/** The type and name in a path. @throws Refusal 400 if the type is unknown */
export function namedPlugin({ type = '', name = '' }: Params): Pick<PluginKey, 'type' | 'name'> {
  if (!isPluginType(type)) throw badRequest(`"${type}" is not a supported plugin type`);
  return { type, name };
}
