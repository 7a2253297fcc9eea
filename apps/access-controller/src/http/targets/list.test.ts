import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measuringSeed, wellKnownSeed } from '../../domain/seed.ts';
import { blamedFields, itemsOf, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';

const project = 'p_1234567890';

const ids = (items: readonly Wire[]): string[] => items.map((item) => textOf(item, 'id'));
const names = (items: readonly Wire[]): string[] => items.map((item) => textOf(item, 'name'));

/** All pages of a listing, starting at `token`. */
async function pages(client: Client, query: string, token = ''): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = token;
  for (;;) {
    const answer = await client.get(`/v1/targets?${query}${next === '' ? '' : `&list_token=${next}`}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    answers.push(answer);
    next = textOf(answer.body, 'list_token');
    if (answer.body['response_type'] === 'complete') return answers;
  }
}

const lastToken = (answers: readonly Answer[]): string => {
  const last = answers.at(-1);
  return last === undefined ? '' : textOf(last.body, 'list_token');
};

describe('a small list', () => {
  let controller: TestController;
  let operator: Client;
  let otherProject: string;

  const create = async (fields: Wire): Promise<Wire> => {
    const answer = await operator.post('/v1/targets', { scope_id: project, type: 'ssh', ...fields });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    controller.clock.advance(1000);
    return answer.body;
  };

  beforeAll(async () => {
    controller = await startController();
    operator = await controller.as('operator');
    const administrator = await controller.as('administrator');
    const created = await administrator.post('/v1/scopes', { scope_id: 'o_1234567890', name: 'other' });
    otherProject = textOf(created.body, 'id');
    controller.clock.advance(1000);
    await create({ name: 'alpha', address: '10.0.0.1', description: 'first' });
    await create({ name: 'beta', type: 'rdp' });
    await create({ name: 'gamma', scope_id: otherProject });
  });
  afterAll(() => controller[Symbol.asyncDispose]());

  test('has the newest target first, and every field of its envelope', async () => {
    const answer = await operator.get(`/v1/targets?scope_id=${project}`);
    expect(names(itemsOf(answer))).toEqual(['beta', 'alpha', 'Generated target']);
    expect(answer.body).toMatchObject({
      response_type: 'complete',
      list_token: expect.any(String),
      sort_by: 'created_time',
      sort_dir: 'desc',
      est_item_count: 3,
      removed_ids: [],
    });
    const [first] = itemsOf(answer);
    expect((await operator.get(`/v1/targets/${textOf(first ?? {}, 'id')}`)).body).toEqual(first);
  });

  test.each([
    ['scope_id=global&recursive=true', ['gamma', 'beta', 'alpha', 'Generated target']],
    ['recursive=true', ['gamma', 'beta', 'alpha', 'Generated target']],
    ['scope_id=o_1234567890&recursive=1', ['gamma', 'beta', 'alpha', 'Generated target']],
    [`scope_id=${project}&recursive=true`, ['beta', 'alpha', 'Generated target']],
    [`scope_id=${project}&recursive=false`, ['beta', 'alpha', 'Generated target']],
  ])('of %s', async (query, expected) => {
    const answer = await operator.get(`/v1/targets?${query}`);
    expect(names(itemsOf(answer))).toEqual(expected);
    expect(answer.body['est_item_count']).toBe(expected.length);
  });

  test.each([
    ['"/item/name" matches "^[ab]"', ['beta', 'alpha']],
    ['"/item/type" == rdp', ['beta']],
    ['"/item/attributes/default_port" == 22', ['gamma', 'alpha', 'Generated target']],
    ['"/item/scope/name" == other', ['gamma']],
    ['"/item/address" is empty and not ("/item/name" == beta)', ['gamma']],
    ['"update" in "/item/authorized_actions" and "/item/description" contains "firs"', ['alpha']],
    ['"/item/name" contains 7', []],
  ])('with the filter %s', async (filter, expected) => {
    const answer = await operator.get(`/v1/targets?recursive=true&filter=${encodeURIComponent(filter)}`);
    expect(names(itemsOf(answer))).toEqual(expected);
    expect(answer.body['est_item_count']).toBe(4);
  });

  test.each([
    ['', ['scope_id']],
    ['scope_id=global', ['scope_id']],
    ['scope_id=o_1234567890', ['scope_id']],
    ['scope_id=nonsense', ['scope_id']],
    ['scope_id=nonsense&recursive=true', ['scope_id']],
    [`scope_id=${project}&scope_id=${project}`, ['scope_id']],
    [`scope_id=${project}&recursive=maybe`, ['recursive']],
    [`scope_id=${project}&page_size=-1`, ['page_size']],
    [`scope_id=${project}&page_size=many`, ['page_size']],
    [`scope_id=${project}&filter=${encodeURIComponent('"/item/name" = x')}`, ['filter']],
    ['filter=(&page_size=x', ['filter', 'page_size', 'scope_id']],
  ])('refuses %j', async (query, blamed) => {
    const answer = await operator.get(`/v1/targets?${query}`);
    expect([answer.status, blamedFields(answer)]).toEqual([400, blamed]);
  });

  test('reports where a filter is wrong', async () => {
    const answer = await operator.get(
      `/v1/targets?recursive=true&filter=${encodeURIComponent('"/item/name" = x')}`,
    );
    expect(JSON.stringify(answer.body)).toContain('at character 14');
  });

  test('of an unknown scope is 404', async () => {
    expect((await operator.get('/v1/targets?scope_id=p_0000000000')).status).toBe(404);
    expect((await operator.get('/v1/targets?scope_id=o_0000000000&recursive=true')).status).toBe(404);
  });

  test('comes in pages of any size, and the last page is never empty', async () => {
    for (const size of [1, 2, 3, 4, 5]) {
      const answers = await pages(operator, `recursive=true&page_size=${size}`);
      expect(answers.map((answer) => itemsOf(answer).length)).toEqual(
        Array.from({ length: Math.ceil(4 / size) }, (_, page) => Math.min(size, 4 - page * size)),
      );
      expect(names(answers.flatMap(itemsOf))).toEqual(['gamma', 'beta', 'alpha', 'Generated target']);
      expect(answers.slice(0, -1).every((answer) => answer.body['response_type'] === 'delta')).toBe(true);
    }
    expect(itemsOf(await operator.get('/v1/targets?recursive=true&page_size=0'))).toHaveLength(4);
    expect(itemsOf(await operator.get('/v1/targets?recursive=true&page_size=999999'))).toHaveLength(4);
  });

  test('fills filtered pages', async () => {
    const filter = encodeURIComponent('"/item/attributes/default_port" == 22');
    const answers = await pages(operator, `recursive=true&page_size=2&filter=${filter}`);
    expect(answers.map((answer) => names(itemsOf(answer)))).toEqual([
      ['gamma', 'alpha'],
      ['Generated target'],
    ]);
  });

  test('refreshes with its last token: changes, newest first, and deleted targets', async () => {
    const query = `scope_id=${project}`;
    const token = lastToken(await pages(operator, query));
    const nothing = await pages(operator, query, token);
    expect(
      nothing.map((answer) => [itemsOf(answer), answer.body['removed_ids'], answer.body['sort_by']]),
    ).toEqual([[[], [], 'updated_time']]);

    const [one, two, three] = [
      await create({ name: 'r1' }),
      await create({ name: 'r2' }),
      await create({ name: 'r3' }),
    ];
    await operator.patch(`/v1/targets/${textOf(one, 'id')}`, { version: 1, description: 'changed' });
    await operator.delete(`/v1/targets/${textOf(two, 'id')}`);
    const refreshed = await pages(operator, `${query}&page_size=1`, token);
    expect(refreshed.map((answer) => names(itemsOf(answer)))).toEqual([['r1'], ['r3']]);
    expect(refreshed.flatMap((answer) => answer.body['removed_ids'])).toEqual([two['id']]);

    await operator.delete(`/v1/targets/${textOf(three, 'id')}`);
    const again = await pages(operator, query, lastToken(refreshed));
    expect(again.map((answer) => [itemsOf(answer), answer.body['removed_ids']])).toEqual([
      [[], [three['id']]],
    ]);
    await operator.delete(`/v1/targets/${textOf(one, 'id')}`);
  });

  test('removes a target that no longer matches its filter', async () => {
    const target = await create({ name: 'fading', description: 'match' });
    const query = `recursive=true&filter=${encodeURIComponent('"/item/description" == match')}`;
    const listed = await pages(operator, query);
    expect(names(listed.flatMap(itemsOf))).toEqual(['fading']);
    await operator.patch(`/v1/targets/${textOf(target, 'id')}`, { version: 1, description: 'other' });
    const [refreshed] = await pages(operator, query, lastToken(listed));
    expect([refreshed?.body['items'], refreshed?.body['removed_ids']]).toEqual([[], [target['id']]]);
  });

  test('refuses tokens that are malformed, too old, or from another listing or controller', async () => {
    const token = lastToken(await pages(operator, `scope_id=${project}`));
    const refused = async (client: Client, query: string): Promise<void> => {
      const answer = await client.get(`/v1/targets?${query}`);
      expect([answer.status, answer.body['kind']]).toEqual([400, 'invalid list token']);
    };
    await refused(operator, `scope_id=${project}&list_token=nonsense`);
    await refused(operator, `scope_id=${otherProject}&list_token=${token}`);
    await refused(operator, `scope_id=${project}&recursive=true&list_token=${token}`);
    await refused(
      operator,
      `scope_id=${project}&filter=${encodeURIComponent('"/a" == b')}&list_token=${token}`,
    );
    {
      await using other = await startController();
      await refused(await other.as('operator'), `scope_id=${project}&list_token=${token}`);
    }
    controller.clock.advance(31 * 24 * 3600 * 1000);
    operator = await controller.as('operator');
    await refused(operator, `scope_id=${project}&list_token=${token}`);
  });
});

describe('5,000 targets', () => {
  let controller: TestController;
  let operator: Client;
  beforeAll(async () => {
    controller = await startController({
      seed: [...wellKnownSeed, ...measuringSeed(5000, Date.UTC(2025, 0, 1))],
    });
    operator = await controller.as('operator');
  });
  afterAll(() => controller[Symbol.asyncDispose]());

  test('come in pages of at most 1,000, each target once, newest first', async () => {
    const answers = await pages(operator, 'recursive=true');
    expect(answers.map((answer) => itemsOf(answer).length)).toEqual([1000, 1000, 1000, 1000, 1000, 1]);
    const items = answers.flatMap(itemsOf);
    expect(new Set(ids(items)).size).toBe(5001);
    const times = items.map((item) => textOf(item, 'created_time'));
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('are listed completely during concurrent changes, and a refresh reports the rest', async () => {
    const before = await pages(operator, 'recursive=true');
    const stable = new Set(ids(before.flatMap(itemsOf)));
    const shown = new Map<string, Wire>();
    let token = '';
    let round = 0;
    const apply = (answer: Answer): void => {
      for (const id of answer.body['removed_ids'] as string[]) shown.delete(id);
      for (const item of itemsOf(answer)) shown.set(textOf(item, 'id'), item);
    };
    const list = async (): Promise<void> => {
      for (;;) {
        const answer = await operator.get(
          `/v1/targets?recursive=true&page_size=250${token === '' ? '' : `&list_token=${token}`}`,
        );
        apply(answer);
        token = textOf(answer.body, 'list_token');
        if (answer.body['response_type'] === 'complete') return;
        round++;
        const created = await operator.post('/v1/targets', {
          scope_id: project,
          type: 'ssh',
          name: `new ${round}`,
        });
        if (round % 2 === 0) await operator.delete(`/v1/targets/${textOf(created.body, 'id')}`);
        const victims = [...stable].filter((_, n) => n % 997 === round % 997);
        for (const id of victims) {
          stable.delete(id);
          await operator.delete(`/v1/targets/${id}`);
        }
        const changed = [...stable][(round * 101) % stable.size];
        await operator.patch(`/v1/targets/${changed ?? ''}`, {
          version: 1,
          description: `changed in round ${round}`,
        });
      }
    };
    await list();
    for (const id of stable) expect(shown.has(id)).toBe(true);
    // Changes stop once a listing fits one page; then a refresh makes both sides equal.
    await list();
    await list();
    const now = (await pages(operator, 'recursive=true')).flatMap(itemsOf);
    expect([...shown.values()].toSorted(byId)).toEqual(now.toSorted(byId));
    expect(round).toBeGreaterThan(15);
  });
});

const byId = (one: Wire, other: Wire): number => (textOf(one, 'id') < textOf(other, 'id') ? -1 : 1);
