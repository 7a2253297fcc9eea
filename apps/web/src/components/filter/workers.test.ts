import { matchesFilter } from '@gatehouse/filter-expression/evaluate';
import { parseFilter } from '@gatehouse/filter-expression/parse';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  mostWorkers,
  readWorkers,
  tagsText,
  withWorkers,
  workerFilterFields,
  type Worker,
} from './workers.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9/~_-]{0,8}$/);
const anyWorker: fc.Arbitrary<Worker> = fc.record({
  name: word,
  tags: fc.dictionary(word, fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { noNullPrototype: true }),
});

test('tags are entered one per line, optionally as in a configuration', () => {
  const expected = { workers: [{ name: 'w-1', tags: { env: ['prod', 'eu'], team: ['dba'] } }] };
  expect(readWorkers(' w-1 ', 'env = prod, eu\n\nteam: dba')).toEqual(expected);
  expect(readWorkers('w-1', 'env = ["prod", "eu"]\nteam = ["dba"]')).toEqual(expected);
  expect(readWorkers('w-1', 'env = prod\nteam = dba\nenv = eu')).toEqual(expected);
});

test("the client's output is accepted for one worker or several", () => {
  const item = { id: 'w_1', name: 'w-1', canonical_tags: { env: ['prod'] }, config_tags: { env: ['no'] } };
  const one = { workers: [{ name: 'w-1', tags: { env: ['prod'] } }] };
  expect(readWorkers('', JSON.stringify({ item }))).toEqual(one);
  expect(readWorkers('', JSON.stringify({ items: [item, { id: 'w_2' }] })).workers).toHaveLength(2);
  expect(readWorkers('', JSON.stringify([item]))).toEqual(one);
});

test.each([
  ['', 'env = prod', 'Enter the name'],
  ['w', 'env', '"env" is not a tag'],
  ['', '{"item":', "isn't valid JSON"],
  ['', '{"items":[]}', 'No worker in this JSON has a name or ID'],
  ['', '{"items":[{"name":3}]}', 'No worker in this JSON has a name or ID'],
  ['', '[3]', 'or a list of workers'],
])('%j with %j is refused', (name, text, problem) => {
  expect(readWorkers(name, text).problem).toContain(problem);
});

test('a worker shown for editing is parsed unchanged', () => {
  fc.assert(
    fc.property(anyWorker, (worker) => {
      expect(readWorkers(worker.name, tagsText(worker))).toEqual({ workers: [worker] });
    }),
  );
});

test('each name is stored once, within the limit', () => {
  fc.assert(
    fc.property(fc.array(anyWorker, { maxLength: 60 }), (workers) => {
      const kept = workers.reduce<Worker[]>((known, worker) => withWorkers(known, [worker]), []);
      expect(new Set(kept.map(({ name }) => name)).size).toBe(kept.length);
      expect(kept.length).toBeLessThanOrEqual(mostWorkers);
      const last = workers.at(-1);
      if (last) expect(kept).toContainEqual(last);
    }),
  );
});

test('a completed tag matches its worker', () => {
  fc.assert(
    fc.property(anyWorker, (worker) => {
      for (const { selector, values } of workerFilterFields([worker]).slice(1)) {
        for (const { text } of values ?? [])
          expect(matchesFilter(parseFilter(`\`${text}\` in ${selector}`), worker)).toBe(true);
      }
    }),
  );
});
