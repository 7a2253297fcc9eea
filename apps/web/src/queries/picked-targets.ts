/** Searches targets on the server, for pickers. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';

/** In a picker, whose list scrolls. */
const mostPicked = 50;

/** A filter expression for targets whose name, ID or address contains the text, in any case. */
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

/** The newest targets without a text. */
export const pickedTargetsQuery = (environment: string, text: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'targets', 'found', text],
    queryFn: async ({ signal }) => {
      const page = await call(at.targets.list, {
        params: { environment },
        query: {
          scope_id: globalScope,
          recursive: true,
          page_size: mostPicked,
          ...(text.trim() !== '' && { filter: targetsHolding(text) }),
        },
        signal,
      });
      return page.items;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
