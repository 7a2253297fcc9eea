import { expect, test } from 'vitest';
import { noRoot, providersOf } from './providers.ts';

test('at most 500 providers are kept, whatever was mounted and unmounted', async () => {
  const root = { ...noRoot, accessKey: 'AKIA', secretKey: 's' };
  const providers = providersOf({ root: () => root }, {}, () => false);
  const first = await providers.of(1);
  expect(await providers.of(1)).toBe(first);
  for (let mount = 2; mount <= 500; mount++) await providers.of(mount);
  const last = await providers.of(501);
  expect(await providers.of(501)).toBe(last);
  expect(await providers.of(1)).not.toBe(first);
  providers.close();
});
