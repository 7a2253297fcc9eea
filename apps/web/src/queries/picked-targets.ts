/** Searches targets on the server, for pickers. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';

/** Rows of a picker's scrolling list. */
const mostPicked = 50;

/** A filter expression for targets whose name, ID or address contains the text, ignoring case. */
export function targetsHolding(text: string): string {
  // A raw string of a filter expression ends at the first backtick, even after a backslash.
  const pattern = text
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('`', String.raw`\x60`);
  return ['"/item/name"', '"/item/id"', '"/item/address"']
    .map((selector) => `${selector} matches \`(?i)${pattern}\``)
    .join(' or ');
}

/** Targets that contain the text; for an empty text the newest. */
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
