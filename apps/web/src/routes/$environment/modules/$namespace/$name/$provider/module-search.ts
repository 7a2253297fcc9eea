/** What the address of a module says beside its names. */
import { matching, oneOf, searchOf, type SearchOf } from '#lib/search.ts';

const version = matching(/^[^\p{C}\p{Z}/\\]{1,256}$/u);

export const moduleSearch = searchOf(
  {
    /** Without it the latest one. */
    version,
    /** Path of a submodule or an example within the archive; without it the module itself. */
    submodule: matching(/^[^\p{C}]{1,400}$/u),
    /** Without it the README. */
    tab: oneOf(
      'inputs',
      'outputs',
      'resources',
      'dependencies',
      'examples',
      'use',
      'versions',
      'downloads',
      'upgrade',
    ),
    /** A version that the shown one is compared with. */
    compare: version,
  },
  (values) =>
    values.compare !== undefined && values.tab === undefined
      ? { ...values, tab: 'upgrade' as const }
      : values,
);
export type ModuleSearch = SearchOf<typeof moduleSearch>;
export type ModuleTab = Exclude<ModuleSearch['tab'], undefined>;
