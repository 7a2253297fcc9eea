import type { FieldProblem } from '@gatehouse/api-types/console/problem';
import * as z from 'zod/mini';
import { ProblemError } from '#ground/problem.ts';

z.config(z.locales.en());

const words = { params: 'path', query: 'query', body: 'body' } as const;

/** Most reported fields, because an answer about small fields can be many times longer than the body. */
const mostFields = 100;

/**
 * Checks one part of a request against its schema.
 * @throws ProblemError `invalid-request` with the refused fields by their dotted paths
 */
export function validate(
  part: keyof typeof words,
  schema: z.ZodMiniType | undefined,
  value: unknown,
): unknown {
  if (schema === undefined) return undefined;
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  if (value === undefined)
    throw new ProblemError('invalid-request', `The ${words[part]} of the request is missing.`);
  const fields = result.error.issues.flatMap(fieldProblems);
  throw new ProblemError(
    'invalid-request',
    `The ${words[part]} of the request is not valid: ${summary(fields)}`,
    { fields: fields.slice(0, mostFields) },
  );
}

function fieldProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join('.'),
      message: "This field doesn't exist.",
    }));
  }
  return [{ path: issue.path.join('.'), message: issue.message }];
}

/** The first few refusals in one line, for callers that show no fields. */
function summary(fields: readonly FieldProblem[]): string {
  const told = fields.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return fields.length > told.length
    ? `${told.join(' ')} And ${fields.length - told.length} more.`
    : told.join(' ');
}
