/** The search parameters of a module's page. */
import { matching, oneOf, searchOf, type SearchOf } from '#lib/search.ts';

const version = matching(/^[^\p{C}\p{Z}/\\]{1,256}$/u);

export const moduleSearch = searchOf(
  {
    /** Defaults to the latest. */
    version,
    /** Path of a submodule or an example within the archive. Defaults to the root module. */
    submodule: matching(/^[^\p{C}]{1,400}$/u),
    /** Defaults to the README. */
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
    /** The version to compare the shown one with. */
    compare: version,
  },
  (values) =>
    values.compare !== undefined && values.tab === undefined
      ? { ...values, tab: 'upgrade' as const }
      : values,
);
export type ModuleSearch = SearchOf<typeof moduleSearch>;
export type ModuleTab = Exclude<ModuleSearch['tab'], undefined>;
