import { expect, test } from 'vitest';
import { notReceived } from '#audit/became.ts';
import type { RecordedCall } from '#audit/recording.ts';
import { audited, resource, type Operation } from './operation.ts';

const call: RecordedCall = {
  params: { id: 't_1' },
  query: undefined,
  body: { name: 'db' },
  revision: undefined,
  session: undefined,
  caller: {
    requestId: '',
    address: '',
    userAgent: '',
    port: 0,
    signal: new AbortController().signal,
    setCookie: () => undefined,
  },
};

test('names an operation in the trail by its resource, or by itself', () => {
  const deleteTarget: Operation<'targets.delete'> = audited(
    { address: ({ params }) => ({ name: `name of ${params.id}` }), became: notReceived },
    () => Promise.resolve(),
  );
  const listScopes: Operation<'scopes.list'> = () => Promise.resolve({ items: [] });
  const table = resource(
    { service: 'access', address: ({ params: { id = '' } }) => ({ id, name: 'of the resource' }) },
    { 'targets.delete': deleteTarget, 'scopes.list': listScopes },
  );
  expect(table['targets.delete'].addressOf(call)).toEqual({
    service: 'access',
    id: 't_1',
    name: 'name of t_1',
  });
  expect(table['scopes.list'].addressOf({ ...call, params: {} })).toEqual({
    service: 'access',
    id: '',
    name: 'of the resource',
  });
  expect(table['targets.delete'].became).toBe(notReceived);
  expect(table['scopes.list'].became).toBeUndefined();
});

test('keeps the audit definition of an operation that extends another, and leaves the other one unchanged', async () => {
  const began: string[] = [];
  const first: Operation<'boxTwoFactor.reset'> = audited(
    {
      address: ({ params }) => ({ id: params.username }),
      became: notReceived,
      precondition: () => Promise.resolve(void began.push('precondition')),
    },
    () => Promise.resolve(void began.push('first')),
  );
  const both: Operation<'boxTwoFactor.reset'> = audited(first, async (context, one) => {
    await first(context, one);
    began.push('more');
  });
  const { 'boxTwoFactor.reset': reset } = resource({ service: 'boxes' }, { 'boxTwoFactor.reset': both });
  expect(reset.addressOf({ ...call, params: { username: 'u' } })).toEqual({
    service: 'boxes',
    id: 'u',
  });
  await reset.precondition?.({} as never, call);
  await reset.run({} as never, call);
  expect(began).toEqual(['precondition', 'first', 'more']);
});
