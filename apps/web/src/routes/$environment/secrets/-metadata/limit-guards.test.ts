import type { SecretEngine, SecretMetadata } from '@gatehouse/api-types/console/secret-metadata';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#lib/query-client.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { guardOfEngine, guardOfMetadata } from './limit-guards.ts';

const engine: SecretEngine & { description: string } = {
  mount: 'secret',
  revision: '1',
  description: '',
  max_versions: 4,
  cas_required: false,
  metadata_cas_required: null,
  delete_version_after: '0s',
  may: null,
};
const version = (number: number) => ({
  version: number,
  state: 'readable' as const,
  created_time: '',
  deletion_time: '',
});
const metadata: SecretMetadata = {
  mount: 'secret',
  path: 'app/db',
  revision: '1',
  max_versions: 0,
  cas_required: false,
  metadata_cas_required: null,
  delete_version_after: '0s',
  custom_metadata: {},
  created_time: '',
  updated_time: '',
  current_version: 4,
  oldest_version: 1,
  versions: [4, 3, 2, 1].map(version),
  may: null,
};
const edited = (max_versions: number, item = metadata) =>
  guardOfMetadata({ item, stored: item, values: { ...item, max_versions } }, 'local');

afterEach(() => {
  queryClient.clear();
});

test('keeping fewer versions of a secret lists the versions that are deleted', async () => {
  queryClient.setQueryData(secretEngineQuery({ environment: 'local', mount: 'secret' }).queryKey, engine);
  expect(await edited(2)).toMatchObject({
    harm: 'destroys',
    typedName: 'db',
    confirmLabel: 'Delete 2 versions permanently',
    impacts: [{ text: expect.stringMatching(/^The values of versions 1 and 2 of secret\/app\/db are/) }, {}],
  });
  expect(await edited(4)).toBeUndefined();
  expect(await edited(9)).toBeUndefined();
  expect(await edited(0)).toBeUndefined();
  expect(await edited(3, { ...metadata, versions: [version(1)] })).toMatchObject({
    harm: 'destroys',
    confirmLabel: 'Keep fewer versions',
    impacts: [{ text: expect.stringMatching(/^No version of secret\/app\/db is lost yet/) }, {}],
  });
});

test('keeping fewer versions in an engine asks, whatever it contains', () => {
  const asked = (before: number, after: number) =>
    guardOfEngine({
      item: engine,
      stored: { ...engine, max_versions: before },
      values: { ...engine, max_versions: after },
    });
  expect(asked(4, 3)).toMatchObject({
    harm: 'destroys',
    typedName: 'secret',
    impacts: [{ kind: 'breaks', text: expect.stringContaining('keep 3 versions instead of 4') }],
  });
  expect(asked(20, 0)).toMatchObject({ title: 'Keep fewer versions in secret?' });
  expect(asked(4, 5)).toBeUndefined();
  expect(asked(4, 4)).toBeUndefined();
});
