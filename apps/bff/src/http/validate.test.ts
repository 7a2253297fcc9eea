import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { ProblemError } from '#ground/problem.ts';
import { validate } from './validate.ts';

test('reports the first of very many refused fields, and their number', () => {
  const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
  let problem: ProblemError | undefined;
  try {
    validate('body', z.strictObject({}), body);
  } catch (error) {
    problem = error as ProblemError;
  }
  expect(problem?.message).toContain("k0: This field doesn't exist.");
  expect(problem?.message).toContain('And 19997 more.');
  expect(problem?.init.fields).toHaveLength(100);
});
