import * as at from '@gatehouse/api-types/console/addresses/search';
import type { SearchLine } from '@gatehouse/api-types/console/search';
import { readLines } from '#lib/api.ts';

/** Searches the records of all services. Each match arrives as soon as it is found. */
export function readFound(environment: string, text: string, signal: AbortSignal): AsyncIterable<SearchLine> {
  return readLines(at.search.find, { params: { environment }, query: { text }, signal });
}
