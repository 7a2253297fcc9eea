import { expect, test } from 'vitest';
import { connectCommand, waysToConnect } from './connect-command.ts';

const endpoint = 'tcp://db.internal:5432';

test('the client of the type or the port comes first, and plain TCP is always offered', () => {
  const waysOf = (type: string, at: string) => waysToConnect(type, at).map(({ value }) => value);
  expect(waysOf('ssh', 'ssh://a:5432')).toEqual(['ssh', 'tcp']);
  expect(waysOf('rdp', 'rdp://a:3389')).toEqual(['rdp', 'tcp']);
  expect(waysOf('tcp', endpoint)).toEqual(['postgres', 'tcp']);
  expect(waysOf('tcp', 'tcp://[::1]:6443')).toEqual(['kube', 'tcp']);
  expect(waysOf('tcp', 'tcp://a:15432')).toEqual(['tcp', 'ssh', 'rdp']);
  expect(waysOf('http', 'a')[0]).toBe('tcp');
});

test('names the client only if it starts one, and the login name only if one was issued', () => {
  const token = 'at_1';
  expect(connectCommand('tcp', { token, userName: 'app', endpoint })).toBe(
    'boundary connect -authz-token at_1',
  );
  expect(connectCommand('ssh', { token, endpoint })).toBe('boundary connect ssh -authz-token at_1');
  expect(connectCommand('postgres', { token, userName: "o'hara", endpoint })).toBe(
    "boundary connect postgres -authz-token at_1 -username 'o'\\''hara'",
  );
  expect(connectCommand('rdp', { token, userName: 'app', endpoint })).toBe(
    'boundary connect rdp -authz-token at_1',
  );
  expect(connectCommand('http', { token, endpoint: 'tcp://a:8443' })).toBe(
    'boundary connect http -authz-token at_1 -scheme https',
  );
  expect(connectCommand('http', { token, endpoint: 'tcp://a:8080' })).toContain('-scheme http');
  expect(connectCommand('kube', { token, endpoint })).toBe(
    'boundary connect kube -authz-token at_1 -- get pods',
  );
});
