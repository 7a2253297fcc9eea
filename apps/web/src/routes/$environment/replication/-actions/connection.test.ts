import { expect, test } from 'vitest';
import { activationOf, connectingAsUsual, problemsOfConnecting } from './connection.ts';

test('sends only fields with text, trimmed', () => {
  expect(activationOf(connectingAsUsual)).toEqual({});
  expect(activationOf({ ...connectingAsUsual, ttl: ' 5m ', ca_file: '/etc/ca.pem' })).toEqual({
    ttl: '5m',
    ca_file: '/etc/ca.pem',
  });
});

test('reports what is wrong with each field', () => {
  expect(problemsOfConnecting(connectingAsUsual)).toEqual({});
  expect(
    Object.keys(
      problemsOfConnecting({ ttl: 'soon', primary_api_addr: 'vault-a:8200', ca_file: '/a', ca_path: '/b' }),
    ),
  ).toEqual(['ttl', 'primary_api_addr', 'ca_path']);
  expect(
    problemsOfConnecting({
      ...connectingAsUsual,
      ttl: '30m',
      primary_api_addr: 'https://vault-a.example:8200',
    }),
  ).toEqual({});
});
