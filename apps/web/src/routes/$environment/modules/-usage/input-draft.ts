/** What a person has written for an input so far. */
import type { ModuleInput } from '@gatehouse/api-types/console/modules';
import { expressionProblem } from './hcl-scan.ts';
import { inputKind, numberProblem, type InputKind, type UsageValue } from './usage-block.ts';

export interface InputDraft {
  readonly kind: InputKind;
  readonly text: string;
  /** A text may be empty: it is given only when that was said. */
  readonly isGiven: boolean;
}

/** What is sensitive is referred to rather than written down. */
export function firstDraft({ type, sensitive }: Pick<ModuleInput, 'type' | 'sensitive'>): InputDraft {
  return { kind: sensitive ? 'expression' : inputKind(type), text: '', isGiven: false };
}

/** What is wrong with it; undefined where nothing is, or nothing was written. */
export function problemOf({ kind, text, isGiven }: InputDraft): string | undefined {
  if (!isGiven) return undefined;
  if (kind === 'number') return numberProblem(text);
  return kind === 'expression' ? expressionProblem(text) : undefined;
}

/** The value; undefined where there is none, or it is wrong. */
export function valueOf(draft: InputDraft): UsageValue | undefined {
  if (!draft.isGiven || problemOf(draft) !== undefined) return undefined;
  return { kind: draft.kind === 'text' ? 'text' : 'expression', text: draft.text };
}
