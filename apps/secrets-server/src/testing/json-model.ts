import fc from 'fast-check';
import { vi } from 'vitest';

/** An object as its members, each with its name as written, or the text of any other value. */
export type Model = string | readonly (readonly [literal: string, value: Model])[];

/** Objects with repeated names, names that are written in several ways, and values that JavaScript would rewrite. */
export const models = fc.letrec<{ any: Model; object: Model }>((tie) => ({
  object: fc.array(
    fc.tuple(
      fc.constantFrom('"a"', String.raw`"\u0061"`, '"b"', String.raw`"\""`, '"__proto__"', '"ü"'),
      tie('any'),
    ),
    { maxLength: 5 },
  ),
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('null', '1.0', '12345678901234567890', '"}{[,\\""', '[ 1 , {"a" : null} ]'),
    tie('object'),
  ),
})).object;

/** The JSON text of a model. @param space between its tokens */
export function print(model: Model, space = ''): string {
  if (typeof model === 'string') return model;
  const members = model.map(([literal, value]) => [literal, ':', print(value, space)].join(space));
  return ['{', ...members.flatMap((member, index) => (index === 0 ? [member] : [',', member])), '}'].join(
    space,
  );
}

/** The name that a literal stands for. */
export const nameOf = (literal: string): unknown => JSON.parse(literal);

/** How many characters `work` joins. Joining at each level would copy the innermost text as many times as it is deep. */
export async function joinedBy(work: () => Promise<unknown>): Promise<number> {
  const join = vi.spyOn(Array.prototype, 'join');
  try {
    await work();
    return join.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  } finally {
    join.mockRestore();
  }
}
