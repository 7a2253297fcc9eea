import { isPlainObject } from './container.ts';

/** A policy document of IAM in its parts. */
export interface PolicyDocument {
  /** `Version`, `Id` and whatever else stands beside the statements, in the order of the text. */
  readonly members: ReadonlyMap<string, unknown>;
  readonly statements: readonly Readonly<Record<string, unknown>>[];
  /** How the statements were written; `none` where there is no such member. */
  readonly form: 'list' | 'one' | 'none';
}

/**
 * The parts of a policy document. Undefined of anything that is not one, and of a text that would come out as another
 * one when its values are printed again (a key that is listed twice, a number that no number of JavaScript holds).
 */
export function documentOf(text: unknown): PolicyDocument | undefined {
  if (typeof text !== 'string') return undefined;
  const value = valueOf(text);
  if (!isPlainObject(value) || JSON.stringify(value) !== withoutSpace(text)) return undefined;
  const members = new Map(Object.entries(value));
  const found = members.get('Statement');
  members.delete('Statement');
  if (found === undefined) return { members, statements: [], form: 'none' };
  const statements: readonly unknown[] = Array.isArray(found) ? found : [found];
  if (!statements.every(isPlainObject)) return undefined;
  return { members, statements, form: Array.isArray(found) ? 'list' : 'one' };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON text without the space between its parts. */
function withoutSpace(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g, '$1');
}
