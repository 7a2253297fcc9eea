import type { ServiceName, SignInMethod } from '@gatehouse/api-types/console/service';
import { expect, test } from 'vitest';
import { accountToConfirm, confirmedUntil } from './confirmed.ts';
import type { ToldConnection } from './connections.ts';
import type { ActiveSession } from './session.ts';

const session: ActiveSession = {
  id: 'se_1',
  personId: 'one/access/u_1',
  personName: 'Ada',
  loginName: 'ada',
  environment: 'one',
  service: 'access',
  method: 'password',
  account: '',
  signedInAt: 0,
  lastActiveAt: 0,
  expiresAt: 1000,
};

function connected(
  environment: string,
  service: ServiceName,
  login_name: string,
  method: SignInMethod = 'password',
  confirmed_until: number | null = null,
): ToldConnection {
  return {
    session_id: session.id,
    environment,
    service,
    account_id: `u_${login_name}`,
    account_name: login_name,
    login_name,
    token_id: `t_${login_name}`,
    connected_at: 0,
    expires_at: null,
    refused: 0,
    unreadable: false,
    method,
    confirmed_until,
  };
}

test('asks the acting account, however it was connected, and accepts no other', () => {
  const all = [
    connected('two', 'access', 'olga'),
    connected('two', 'secrets', 'omar'),
    connected('two', 'boxes', 'robot', 'token'),
    connected('one', 'secrets', 'ada', 'token'),
    connected('one', 'boxes', 'rita'),
    connected('one', 'access', 'ada'),
  ];
  const askedAt = (environment: string, service?: ServiceName, connections = all) => {
    const account = accountToConfirm(session, connections, environment, service);
    return account && `${account.service}/${account.login_name}`;
  };
  expect(askedAt('two', 'access')).toBe('access/olga');
  expect(askedAt('two', 'secrets')).toBe('secrets/omar');
  expect(askedAt('two', 'boxes')).toBe('boxes/robot');
  expect(askedAt('one', 'secrets')).toBe('secrets/ada');
  // Outside a service it is the account of the sign-in, and none that was connected since.
  expect(askedAt('one')).toBe('access/ada');
  expect(askedAt('one', undefined, all.slice(0, -1))).toBeUndefined();
  expect(askedAt('nowhere', 'access')).toBeUndefined();
});

test('asks for nothing in an environment while all of its accounts are confirmed', () => {
  const of = (secretsUntil: number | null) =>
    confirmedUntil(
      session,
      [
        connected('one', 'access', 'ada', 'password', 500),
        connected('one', 'secrets', 'omar', 'password', secretsUntil),
        connected('one', 'boxes', 'robot', 'token', 450),
      ],
      100,
    );
  expect(of(null)).toEqual([]);
  expect(of(100)).toEqual([]);
  expect(of(400)).toEqual([['one', 400]]);
});
