import type { Expression } from '../domain/filter/expression.ts';
import { FilterSyntaxError } from '../domain/filter/expression.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import type { FieldFaults } from '../domain/refusal.ts';

/** Reads the `filter` parameter of a list operation; undefined when it is empty. A syntax error is noted as a fault. */
export function readFilter(text: string, faults: FieldFaults): Expression | undefined {
  if (text.trim() === '') return undefined;
  try {
    return parseFilter(text);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    faults.add('filter', `This field could not be parsed: ${error.message}.`);
    return undefined;
  }
}
