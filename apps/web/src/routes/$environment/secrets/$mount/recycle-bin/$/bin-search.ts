import { on, order, searchOf } from '#lib/search.ts';

export const binSearch = searchOf({
  /** Also deleted versions of secrets whose newest version is readable. */
  all: on,
  sort: order,
});
