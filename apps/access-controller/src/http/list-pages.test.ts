import { expect, test } from 'vitest';
import { itemsOf, startController, textOf } from '../testing/controller.ts';

test.each([
  ['scopes', '/v1/scopes?scope_id=global', 4],
  ['all scopes', '/v1/scopes?recursive=true', 5],
  ['scopes of an organization', '/v1/scopes?scope_id=o_1234567890', 1],
  ['scopes of a project', '/v1/scopes?scope_id=p_1234567890&recursive=true', 0],
  ['users', '/v1/users?scope_id=global', 4],
  ['users of an organization', '/v1/users?scope_id=o_1234567890', 0],
  ['accounts', '/v1/accounts?auth_method_id=ampw_1234567890', 4],
  ['tokens', '/v1/auth-tokens?scope_id=global', 3],
  ['tokens of an organization', '/v1/auth-tokens?scope_id=o_1234567890', 0],
])('a list of %s has pages, the last of which ends it', async (_what, path, count) => {
  await using controller = await startController();
  const administrator = await controller.as('administrator');
  for (const name of ['a', 'b', 'c']) {
    controller.clock.advance(1);
    await administrator.post('/v1/scopes', { scope_id: 'global', name });
    if (name !== 'c') await controller.as('operator');
  }
  const whole = await administrator.get(path);
  expect(whole.body).toMatchObject({ response_type: 'complete', list_token: '', est_item_count: count });
  const times = itemsOf(whole).map((item) => textOf(item, 'created_time'));
  expect(times).toEqual(times.toSorted().reverse());

  const items = [];
  let token = '';
  do {
    const page = await administrator.get(`${path}&page_size=1&list_token=${token}`);
    expect(itemsOf(page).length).toBeLessThanOrEqual(1);
    items.push(...itemsOf(page));
    token = textOf(page.body, 'list_token');
    expect(page.body['response_type']).toBe(token === '' ? 'complete' : 'delta');
  } while (token !== '');
  expect(items).toEqual(itemsOf(whole));
  expect(items).toHaveLength(count);
});
