import type { Expression } from '@gatehouse/filter-expression/expression';
import { FilterSyntaxError } from '@gatehouse/filter-expression/expression';
import { parseFilter } from '@gatehouse/filter-expression/parse';
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
