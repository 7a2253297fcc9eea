/** `engines`: shows the list even with only one engine. */
import { on, searchOf } from '#lib/search.ts';

export const cloudSearch = searchOf({ engines: on });
