import { expect, test } from 'vitest';
import { connectCommand, waysToConnect } from './connect-command.ts';

test("the target's own protocol comes first, and plain TCP is always offered", () => {
  expect(waysToConnect('ssh').map(({ value }) => value)).toEqual(['ssh', 'tcp']);
  expect(waysToConnect('rdp').map(({ value }) => value)).toEqual(['rdp', 'tcp']);
  expect(waysToConnect('tcp').map(({ value }) => value)).toEqual(['tcp', 'ssh', 'rdp']);
  expect(waysToConnect('http')[0]?.value).toBe('tcp');
});

test('names the client only if it starts one, and the login name only if one was issued', () => {
  expect(connectCommand('tcp', { token: 'at_1', userName: 'app' })).toBe(
    'boundary connect -authz-token at_1',
  );
  expect(connectCommand('ssh', { token: 'at_1' })).toBe('boundary connect ssh -authz-token at_1');
  expect(connectCommand('ssh', { token: 'at_1', userName: "o'hara" })).toBe(
    "boundary connect ssh -authz-token at_1 -username 'o'\\''hara'",
  );
  expect(connectCommand('rdp', { token: 'at_1', userName: 'app' })).toBe(
    'boundary connect rdp -authz-token at_1',
  );
});
