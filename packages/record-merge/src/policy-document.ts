import { isPlainObject } from './container.ts';

/** A parsed IAM policy document. */
export interface PolicyDocument {
  /** `Version`, `Id` and other members besides the statements, in the order of the text. */
  readonly members: ReadonlyMap<string, unknown>;
  readonly statements: readonly Readonly<Record<string, unknown>>[];
  /** Whether `Statement` is a list or one object; `none` if it is missing. */
  readonly form: 'list' | 'one' | 'none';
}

/**
 * Parses a policy document. Undefined for anything else, and for a text that would change when printed again (a
 * duplicate key, a number beyond JavaScript's precision).
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

/** Removes space between the tokens of a JSON text. */
function withoutSpace(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g, '$1');
}
