import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  boundaryController,
  boundaryPassword,
  boundaryTarget,
  type BoundaryController,
} from '../../../test/boundary-controller.ts';
import type { Browser } from '../../../test/browser.ts';
import { signInAs, startConsole, type TestConsole } from '../../../test/console.ts';

const targets = '/api/environments/test/access/targets';

describe('a real controller', () => {
  let controller: BoundaryController;
  let console: TestConsole;
  let page: Browser;

  beforeAll(async () => {
    controller = await boundaryController();
    console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
    page = console.browser();
    await signInAs(page, 'admin', boundaryPassword);
  });
  afterAll(async () => {
    await console.close();
    await controller.close();
  });
  beforeEach(() => {
    controller.targets.clear();
    controller.intercept = undefined;
    controller.afterWrite = undefined;
    controller.pageSize = 1000;
    controller.targets.set('ttcp_0000000001', boundaryTarget('ttcp_0000000001', { name: 'db', version: 3 }));
  });

  test('omits zero values: the console answers every field', async () => {
    const answer = await page.send('GET', `${targets}/ttcp_0000000001`);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id: 'ttcp_0000000001',
      revision: '3',
      description: '',
      address: '',
      worker_filter: '',
      attributes: { default_port: 22, default_client_port: null },
      host_source_ids: [],
      session_connection_limit: -1,
    });
  });

  test('pages with list tokens', async () => {
    controller.pageSize = 2;
    for (const n of [2, 3, 4, 5])
      controller.targets.set(`ttcp_000000000${n}`, boundaryTarget(`ttcp_000000000${n}`));
    const names: unknown[] = [];
    let token: unknown = '';
    do {
      const answer = await page.send(
        'GET',
        `${targets}?scope_id=p_1234567890${token === '' ? '' : `&page_token=${String(token)}`}`,
      );
      expect(answer.status).toBe(200);
      names.push(...(answer.json['items'] as { name: string }[]).map(({ name }) => name));
      token = answer.json['next_page_token'] ?? '';
    } while (token !== '');
    expect(names).toEqual(['db', 'ttcp_0000000002', 'ttcp_0000000003', 'ttcp_0000000004', 'ttcp_0000000005']);
  });

  test('an empty list without items is an empty list', async () => {
    controller.targets.clear();
    const answer = await page.send('GET', `${targets}?scope_id=p_1234567890`);
    expect(answer.json).toEqual({ items: [], est_item_count: 0 });
  });
});
