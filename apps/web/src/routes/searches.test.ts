import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretSearch } from '#components/places/secret-search.ts';
import { listSearch } from '#lib/search.ts';
import { moveSearch } from './$environment/-moves/move-search.ts';
import { activitySearch } from './$environment/activity/activity-search.ts';
import { boxesSearch } from './$environment/boxes/boxes-search.ts';
import { boxSearch } from './$environment/boxes/owners/$username/$name/box-search.ts';
import { rolesSearch } from './$environment/cloud/$mount/roles-search.ts';
import { roleSearch } from './$environment/cloud/$mount/roles/$role/role-search.ts';
import { cloudSearch } from './$environment/cloud/cloud-search.ts';
import { storeSearch } from './$environment/credential-sources/$store/store-search.ts';
import { catalogSearch } from './$environment/host-sources/$catalog/catalog-search.ts';
import { moduleSearch } from './$environment/modules/$namespace/$name/$provider/module-search.ts';
import { modulesSearch } from './$environment/modules/modules-search.ts';
import { publishSearch } from './$environment/modules/publish/publish-search.ts';
import { pluginDraftSearch } from './$environment/plugins/new/draft-search.ts';
import { pluginsSearch } from './$environment/plugins/plugins-search.ts';
import { compareSearch } from './$environment/replication/compare/compare-search.ts';
import { failoverSearch } from './$environment/replication/failover/failover-search.ts';
import { newSecondarySearch } from './$environment/replication/new-secondary/new-secondary-search.ts';
import { binSearch } from './$environment/secrets/$mount/recycle-bin/$/bin-search.ts';
import { folderSearch } from './$environment/secrets/folder-search.ts';
import { sessionsSearch } from './$environment/sessions/sessions-search.ts';
import { byNameSearch } from './$environment/targets/authorize/by-name-search.ts';
import { targetListSearch, targetsSearch } from './$environment/targets/targets-search.ts';

const declared = {
  listSearch,
  secretSearch,
  activitySearch,
  boxesSearch,
  boxSearch,
  cloudSearch,
  rolesSearch,
  roleSearch,
  modulesSearch,
  moduleSearch,
  storeSearch,
  catalogSearch,
  publishSearch,
  moveSearch,
  pluginsSearch,
  pluginDraftSearch,
  compareSearch,
  failoverSearch,
  newSecondarySearch,
  binSearch,
  folderSearch,
  sessionsSearch,
  byNameSearch,
  targetListSearch,
  targetsSearch,
};

const known = [
  'name',
  '-updated_time',
  'p_1234567890',
  'true',
  'null',
  '1e3',
  '[1]',
  '"x"',
  ' a ',
  'a&b=c#d+e%20',
  'versions',
  'hosts',
  'details',
  'terminated',
  'created',
  'asc',
  'refused',
  'conflict',
  '2026-01-02T03:04:05Z',
  'global',
  'target.update',
  '1.2.0',
  'modules/x',
  'inputs',
];

/** Values that at least one parameter accepts, and values that none does. */
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed()),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(...known),
);

test.each(Object.entries(declared))(
  '%s: parsed parameters survive a round trip through the address',
  (_, { params, parse }) => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(params)), value), (given) => {
        const search = parse(given);
        expect(parse(defaultParseSearch(defaultStringifySearch(search)))).toEqual(search);
        expect(parse({ ...search })).toEqual(search);
      }),
      { numRuns: 200 },
    );
  },
);

test.each(Object.entries(declared))('%s: any value can be parsed', (_, { params, parse }) => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(params), 'other'), fc.anything()), (given) => {
      for (const name of Object.keys(parse(given))) expect(params).toHaveProperty(name);
    }),
  );
});

test('a search for terminated sessions includes ended ones, and a scope ID makes the scope name redundant', () => {
  expect(sessionsSearch.parse({ status: 'terminated' })).toEqual({ status: 'terminated', ended: true });
  expect(byNameSearch.parse({ scope: 'p_1', scope_name: 'one' })).toEqual({ scope: 'p_1' });
});
