/** The input entered for a module's variable. */
import type { ModuleInput } from '@gatehouse/api-types/console/modules';
import { expressionProblem } from './hcl-scan.ts';
import { inputKind, numberProblem, type InputKind, type UsageValue } from './usage-block.ts';

export interface InputDraft {
  readonly kind: InputKind;
  readonly text: string;
  /** Whether a value is set, because an empty string can be one. */
  readonly isGiven: boolean;
}

/** Sensitive values start as expressions, because they should be references. */
export function firstDraft({ type, sensitive }: Pick<ModuleInput, 'type' | 'sensitive'>): InputDraft {
  return { kind: sensitive ? 'expression' : inputKind(type), text: '', isGiven: false };
}

/** What is wrong with the draft; undefined if nothing is, or if it isn't set. */
export function problemOf({ kind, text, isGiven }: InputDraft): string | undefined {
  if (!isGiven) return undefined;
  if (kind === 'number') return numberProblem(text);
  return kind === 'expression' ? expressionProblem(text) : undefined;
}

/** The value; undefined if it isn't set or is invalid. */
export function valueOf(draft: InputDraft): UsageValue | undefined {
  if (!draft.isGiven || problemOf(draft) !== undefined) return undefined;
  return { kind: draft.kind === 'text' ? 'text' : 'expression', text: draft.text };
}
