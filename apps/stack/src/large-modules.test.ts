import fs from 'node:fs';
import path from 'node:path';
import { smallModule } from '@gatehouse/module-archive/testing/archives';
import { temporaryPlace } from '@gatehouse/service-kit/temporary-folder';
import { cheapHashing } from '@gatehouse/service-kit/testing/test-accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { largeModules } from './large-modules.ts';
import { modulesClient, signInToModules } from './modules-client.ts';
import type { Wire } from './modules-client.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack.ts';

const password = 'correct horse battery';
const count = 5000;
const dataDir = fs.mkdtempSync(path.join(temporaryPlace(), 'gatehouse-large-'));
let stack: Stack | undefined;

beforeAll(async () => {
  stack = await startStack({
    dataDir,
    environments: [
      { id: 'local', name: 'Local', kind: 'development', accessPort: 0, modulesSeed: largeModules(count) },
    ],
    adminPassword: password,
    hashing: cheapHashing,
    drainMs: 100,
  });
});
afterAll(async () => {
  await stack?.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

interface Page extends Wire {
  readonly meta: { readonly next_url?: string };
  readonly modules: readonly { readonly namespace: string; readonly name: string }[];
}

it('shows each of many modules once, page by page, while others are published', async () => {
  const origin = stack?.environments[0]?.modules.url ?? '';
  const reader = modulesClient(origin, undefined);
  const publisher = await signInToModules(origin, 'admin', password);
  const seeded = [...largeModules(count)];
  const publishSome = async (turn: number): Promise<void> => {
    await publisher.publish(`late/module-${turn}/aws/1.0.0`, smallModule());
    // Publishes a version of a module that has been listed already, or will be.
    const known = seeded[(turn * 997) % count];
    await publisher.publish(
      `${known?.namespace}/${known?.name}/${known?.provider}/2.0.${turn}`,
      smallModule(),
    );
  };
  const seen: string[] = [];
  let pages = 0;
  for (let url: string | undefined = '/v1/modules?limit=100'; url !== undefined; pages += 1) {
    const page = (await reader.read(url)) as Page;
    seen.push(...page.modules.map(({ namespace, name }) => `${namespace}/${name}`));
    url = page.meta.next_url;
    if (pages < count / 100 && pages % 5 === 0) await publishSome(pages);
  }
  expect(seen.slice(0, count)).toEqual(seeded.map(({ namespace, name }) => `${namespace}/${name}`));
  expect(seen.slice(count)).toEqual(
    [0, 5, 10, 15, 20, 25, 30, 35, 40, 45].map((turn) => `late/module-${turn}`),
  );
});

it('finds the last of many modules with all its versions', async () => {
  const reader = modulesClient(stack?.environments[0]?.modules.url ?? '', undefined);
  const found = (await reader.read('/v1/modules/search?q=number+4999')) as Page;
  expect(found.modules).toMatchObject([{ name: 'dns-04999', version: expect.stringMatching(/^[12]\./) }]);
  const { modules } = await reader.read('/v1/modules/team-49/dns-04999/cloudflare/versions');
  const numbers = Array.from({ length: 10 }, (_, number) => ({ version: `1.${number}.0` }));
  expect(modules).toMatchObject([{ versions: numbers }]);
});
