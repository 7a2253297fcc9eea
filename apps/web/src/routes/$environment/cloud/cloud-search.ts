/** What the address says of the engines: they are shown though there is but one. */
import { on, searchOf } from '#lib/search.ts';

export const cloudSearch = searchOf({ engines: on });
