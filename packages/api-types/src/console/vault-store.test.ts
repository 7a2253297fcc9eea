import { merge } from '@gatehouse/record-merge';
import { describe, expect, test } from 'vitest';
import { secretsToGiveAgain, vaultStorePolicy } from './vault-store.ts';

const stored = {
  address: 'https://vault.example:8200',
  namespace: 'team',
  ca_cert: 'CA',
  tls_server_name: '',
  tls_skip_verify: false,
  client_certificate: '',
  client_certificate_key_hmac: '',
};
const withKey = { ...stored, client_certificate: 'CERT', client_certificate_key_hmac: 'hmac' };

describe('the secrets of a store that an edit has to give again', () => {
  test.each([
    [{}, []],
    [{ address: ' https://vault.example:8200\n', namespace: 'team', tls_skip_verify: false }, []],
    [{ address: 'https://vault.example' }, ['token']],
    [{ namespace: '' }, ['token']],
    [{ ca_cert: '' }, ['token']],
    [{ tls_server_name: 'other' }, ['token']],
    [{ tls_skip_verify: true }, ['token']],
    [{ client_certificate: 'CERT' }, ['token']],
  ])('without a key: %o', (edit, needed) => {
    expect(secretsToGiveAgain(stored, edit)).toEqual(needed);
  });

  test('are the key as well, unless it goes with its certificate', () => {
    const both = ['token', 'client_certificate_key'];
    expect(secretsToGiveAgain(withKey, { address: 'https://other' })).toEqual(both);
    expect(secretsToGiveAgain(withKey, { client_certificate: 'OTHER' })).toEqual(both);
    expect(secretsToGiveAgain(withKey, { client_certificate: ' ' })).toEqual(['token']);
    expect(secretsToGiveAgain({ ...withKey, client_certificate_key_hmac: '' }, { namespace: '' })).toEqual(
      both,
    );
  });
});

test('a token for one address is never merged with the address of the other side', () => {
  const of = (attributes: object) => ({ name: 'store', description: '', attributes });
  const base = of({ ...stored, token: '', token_hmac: 'old' });
  const mine = of({ ...stored, token: 'mine', token_hmac: 'old' });
  const theirs = of({ ...stored, address: 'https://evil.example', token: '', token_hmac: 'theirs' });
  const { conflicts } = merge(vaultStorePolicy, base, mine, theirs);
  expect(conflicts).toHaveLength(1);
  expect(conflicts[0]).toMatchObject({
    kind: 'group',
    mine: { address: stored.address, token: 'mine' },
    theirs: { address: 'https://evil.example' },
  });
});
