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

describe('secrets that an edit of a store must include again', () => {
  test.each([
    [{}, []],
    [{ address: ' https://vault.example:8200\n', namespace: 'team', tls_skip_verify: false }, []],
    [{ address: 'https://vault.example:8200/' }, []],
    [{ address: 'https://vault.example' }, ['token']],
    [{ address: 'https://vault.example:8200/other' }, ['token']],
    [{ namespace: '' }, ['token']],
    [{ ca_cert: '' }, ['token']],
    [{ tls_server_name: 'other' }, ['token']],
    [{ tls_skip_verify: true }, ['token']],
    [{ client_certificate: 'CERT' }, ['token']],
  ])('without a key: %o', (edit, needed) => {
    expect(secretsToGiveAgain(stored, edit)).toEqual(needed);
  });

  test('include the client key, unless it is cleared with its certificate', () => {
    const both = ['token', 'client_certificate_key'];
    expect(secretsToGiveAgain(withKey, { address: 'https://other' })).toEqual(both);
    expect(secretsToGiveAgain(withKey, { client_certificate: 'OTHER' })).toEqual(both);
    expect(secretsToGiveAgain(withKey, { client_certificate: ' ' })).toEqual(['token']);
    expect(secretsToGiveAgain({ ...withKey, client_certificate_key_hmac: '' }, { namespace: '' })).toEqual(
      both,
    );
  });
});

test('requires all secrets for any setting if the controller shows nothing of the store', () => {
  const untold = { ...stored, address: '', namespace: '', ca_cert: '' };
  for (const edit of [
    { namespace: '' },
    { ca_cert: '' },
    { tls_skip_verify: false },
    { address: 'https://x' },
  ])
    expect(secretsToGiveAgain(untold, edit)).toEqual(['token', 'client_certificate_key']);
  expect(secretsToGiveAgain(untold, { client_certificate: '' })).toEqual(['token']);
  expect(secretsToGiveAgain(untold, {})).toEqual([]);
});

describe('two edits of a connection', () => {
  const of = (attributes: object) => ({ name: 'store', description: '', attributes });
  const base = { ...stored, client_certificate_key: '', token: '', token_hmac: 'old' };

  // One side enters the token itself; the other side only sees its HMAC.
  test.each(Object.keys(base).filter((name) => name !== 'token'))(
    'conflict together, so that a new token never merges with another %s',
    (name) => {
      const theirs = { ...base, [name]: name === 'tls_skip_verify' ? true : 'theirs' };
      const { conflicts, merged } = merge(
        vaultStorePolicy,
        of(base),
        { ...of({ ...base, token: 'mine' }), description: 'mine' },
        of(theirs),
      );
      expect(conflicts).toHaveLength(1);
      expect(conflicts[0]?.mine).toEqual({ ...base, token: 'mine' });
      expect(merged.description).toBe('mine');
    },
  );
});
