import { expect, test } from 'vitest';
import { misfitOf } from './misfit.ts';

test('marks credentials that a protocol has no use for, where both are known', () => {
  const of = (
    type: string,
    port: number | null,
    credential: string,
    role?: { mount: string; role: string },
  ) =>
    misfitOf(
      { type, attributes: { default_port: port, default_client_port: null } },
      { credential_type: credential, ...(role && { cloud_role: role }) },
    );
  const role = { mount: 'aws', role: 'deploy' };
  expect(of('tcp', 5432, 'ssh_private_key')).toBe('SSH key, but the target is PostgreSQL');
  expect(of('rdp', 3390, 'ssh_private_key')).toBe('SSH key, but the target is Remote desktop');
  expect(of('ssh', 22, '', role)).toBe('Cloud keys, but the target is SSH');
  expect(of('ssh', 5432, 'ssh_private_key')).toBe(undefined);
  expect(of('tcp', 22, 'ssh_private_key')).toBe(undefined);
  expect(of('tcp', 9999, 'ssh_private_key')).toBe(undefined);
  expect(of('tcp', null, 'ssh_private_key')).toBe(undefined);
  expect(of('tcp', 443, '', role)).toBe(undefined);
  expect(of('tcp', 5432, 'json')).toBe(undefined);
});
