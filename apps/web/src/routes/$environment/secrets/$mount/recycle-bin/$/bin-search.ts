import { on, order, searchOf } from '#lib/search.ts';

export const binSearch = searchOf({
  /** Deleted versions of secrets whose newest version is readable, too. */
  all: on,
  sort: order,
});
