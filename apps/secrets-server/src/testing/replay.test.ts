import { expect, test } from 'vitest';
import type { Wire } from './client.ts';
import { recording, refused, replay } from './replay.ts';
import type { Difference, Recorded, Send } from './replay.ts';

const requests: readonly Recorded[] = [
  {
    m: 'GET',
    p: '/v1/a/creds',
    save: { lease: 'lease_id' },
    answer: { status: 200, body: { lease_id: '<str>', data: { ttl: '<int>', keys: ['v1+theirs'] } } },
  },
  { m: 'PUT', p: '/v1/b', b: { id: '${lease}', sum: '<sum>' }, answer: { status: 204, body: null } },
  {
    m: 'GET',
    p: '/v1/c?x=1',
    t: 'none',
    answer: { status: 403, body: { errors: ['1 error occurred:\n\t* denied <id>.\n\n'] } },
  },
];
const good = { lease_id: 'l1', mount_type: 'kv', data: { ttl: 5, keys: ['v1+ours'], more: true } };

/** Replays against made-up answers. */
async function run(
  answers: readonly (readonly [status: number, body: Wire])[],
  differences: Readonly<Record<number, Difference>> = {},
) {
  const sent: unknown[] = [];
  const send: Send = ({ method, target, headers, body }) => {
    const [status, wire] = answers[sent.length] ?? [0, {}];
    sent.push([headers['x-vault-token'], method, target, body]);
    return Promise.resolve({ status, body: Object.keys(wire).length === 0 ? null : wire });
  };
  const mismatches = await replay({
    requests,
    from: 0,
    to: 2,
    send,
    token: 'caller',
    fill: { '<sum>': 'abc' },
    renamed: { theirs: 'ours' },
    added: ['more'],
    differences,
  });
  return { sent, numbers: mismatches.map(({ request }) => Number.parseInt(request, 10)) };
}

const denied = (text: string) => [403, { errors: [text] }] as const;

test('requests contain saved and filled-in values, and answers may differ where the options permit', async () => {
  const { sent, numbers } = await run([[200, good], [204, {}], denied('denied 17.')]);
  expect(numbers).toEqual([]);
  expect(sent).toEqual([
    ['caller', 'GET', '/v1/a/creds', undefined],
    ['caller', 'PUT', '/v1/b', '{"id":"l1","sum":"abc"}'],
    [undefined, 'GET', '/v1/c?x=1', undefined],
  ]);
});

test.each<readonly [string, Wire]>([
  ['another status', { ...good, status: 201 }],
  ['a member that is missing', { lease_id: 'l1', data: { keys: ['v1+ours'] } }],
  ['a member more', { ...good, extra: 1 }],
  ['another text', { ...good, data: { ttl: 5, keys: ['v2+ours'] } }],
  ['a longer list', { ...good, data: { ttl: 5, keys: ['v1+ours', 'v1+ours'] } }],
  ['no number', { ...good, data: { ttl: '5', keys: ['v1+ours'] } }],
  ['nothing', {}],
])('%s is a mismatch', async (_, { status = 200, ...body }) => {
  expect((await run([[Number(status), body], [204, {}], denied('denied 17.')])).numbers).toEqual([0]);
});

test('a listed difference must match exactly, and causes a mismatch if the answer does not differ', async () => {
  const table = { 2: { why: '', answer: refused(403, 'no entry') } };
  const first = [
    [200, good],
    [204, {}],
  ] as const;
  expect((await run([...first, denied('no entry')], table)).numbers).toEqual([]);
  expect((await run([...first, denied('other')], table)).numbers).toEqual([2]);
  expect((await run([...first, denied('denied 17.')], table)).numbers).toEqual([2]);
});

test.each([
  ['plugins-and-cloud', 133],
  ['kv-and-system', 211],
] as const)('the recording %s is complete', (name, length) => {
  expect(recording(name)).toHaveLength(length);
});
