import { expect, test } from 'vitest';
import { whatItReads } from './what-it-reads.ts';

test('a library links to the secret or cloud role that it reads', () => {
  expect(whatItReads('production', { secret: { mount: 'team/kv', path: 'app/db' } })).toEqual({
    label: 'Secret',
    name: 'team/kv/app/db',
    href: '/production/secrets/team%2Fkv/secret/app/db',
  });
  expect(whatItReads('production', { cloud_role: { mount: 'team/cloud', role: 'deploy@ci' } })).toEqual({
    label: 'Cloud role',
    name: 'team/cloud/deploy@ci',
    href: '/production/cloud/team%2Fcloud/roles/deploy%40ci',
  });
  expect(whatItReads('production', {})).toBeUndefined();
});
