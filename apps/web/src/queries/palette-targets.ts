/** Targets that the palette finds, on the server. */
import { listTargets } from '@gatehouse/api-types/console/targets';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { globalScope } from './global-scope.ts';

const mostFound = 8;

/** A filter expression for targets whose name, id or address holds the text, in any case. */
export function targetsHolding(text: string): string {
  // Raw text in the language of expressions ends at the first backtick, whatever is before it.
  const pattern = text
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('`', String.raw`\x60`);
  return ['"/item/name"', '"/item/id"', '"/item/address"']
    .map((selector) => `${selector} matches \`(?i)${pattern}\``)
    .join(' or ');
}

export const paletteTargetsQuery = (environment: string, text: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'targets', 'palette', text],
    queryFn: async ({ signal }) => {
      const page = await call(listTargets, {
        params: { environment },
        query: { scope_id: globalScope, recursive: true, page_size: mostFound, filter: targetsHolding(text) },
        signal,
      });
      return page.items;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
