import type { Target } from '@gatehouse/api-types/console/targets';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { testTarget } from '#components/targets/test-target.ts';
import { forgetTargets, keepTarget, targetListQuery } from './access.ts';

const target = (id: string, name = id): Target => testTarget({ id, name });
const query = targetListQuery({
  environment: 'e',
  scope: target('t').scope_id,
  recursive: false,
  filter: undefined,
});

/** A client that observes the list, with a network that the test answers. */
function looking() {
  const asked: ((answer: Response) => void)[] = [];
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve) => {
        asked.push(resolve);
      }),
  );
  const client = new QueryClient();
  const stop = new QueryObserver(client, query).subscribe(() => undefined);
  return {
    client,
    stop,
    /** Waits until a request is in progress. */
    isAsking: () => vi.waitUntil(() => asked.length > 0),
    answer: async (items: readonly Target[], next?: string): Promise<void> => {
      await vi.waitUntil(() => asked.length > 0);
      const body = { items, est_item_count: 3, ...(next !== undefined && { next_page_token: next }) };
      asked.shift()?.(Response.json(body));
    },
    names: () => client.getQueryData(query.queryKey)?.items.map(({ name }) => name),
  };
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a refetched list contains changes written while it was read', async () => {
  const { client, stop, isAsking, answer, names } = looking();
  const [one, two, three] = [target('one'), target('two'), target('three')] as const;
  await answer([one, two, three]);
  await vi.waitUntil(() => names()?.length === 3);
  const refetched = client.refetchQueries({ queryKey: query.queryKey });
  await answer([one, two], 'more');
  await isAsking();
  keepTarget(client, 'e', target('one', 'renamed'));
  keepTarget(client, 'e', target('three', 'renamed too'));
  keepTarget(client, 'e', target('new'));
  forgetTargets(client, 'e', ['two']);
  await answer([three]);
  await refetched;
  expect(names()).toEqual(['new', 'renamed', 'renamed too']);
  stop();
});

test('a page requested before a write does not revert it', async () => {
  const { client, stop, isAsking, answer, names } = looking();
  await answer([target('one')], 'more');
  await isAsking();
  forgetTargets(client, 'e', ['two']);
  keepTarget(client, 'e', target('three', 'renamed'));
  await answer([target('two'), target('three'), target('four')]);
  await vi.waitUntil(() => client.getQueryState(query.queryKey)?.fetchStatus === 'idle');
  expect(names()).toEqual(['renamed', 'one', 'four']);
  stop();
});
