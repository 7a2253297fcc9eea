import { hasMoreMembers } from '@gatehouse/service-kit/json-scan';
import { parseJson } from '@gatehouse/service-kit/parse-json';
import { findMembers, mostMembers, mostValueBytes } from './json/members.ts';
import type { Span } from './json/members.ts';
import { badRequest } from './refusal.ts';

/** A body: parsed, and the text of each member as it was sent. */
export interface Body {
  /** The members; the object has no prototype. */
  readonly values: Readonly<Record<string, unknown>>;
  /** JSON text of a member, byte for byte; undefined when there is none. */
  text(name: string): string | undefined;
}

const noValues: Readonly<Record<string, unknown>> = Object.freeze(
  Object.create(null) as object as Record<string, unknown>,
);

/** Most characters of a body that are read: twice as many as any value may have. */
const longestText = 2 * mostValueBytes;

/** The body of a request that has none. */
export const emptyBody: Body = { values: noValues, text: () => undefined };

/**
 * Reads a body's text; null is a body that is empty.
 * @throws Refusal 400 when it is not a JSON object, repeats a member of it, is nested too deeply, is too long or has too many members
 */
export function parseBody(text: string): Body {
  // Parsed first, these would keep everybody waiting for seconds.
  if (text.length > longestText)
    throw badRequest(`failed to decode JSON input: too long (at most ${longestText} characters)`);
  if (hasMoreMembers(text, mostMembers))
    throw badRequest(`failed to decode JSON input: too many members (at most ${mostMembers})`);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw badRequest('failed to decode JSON input');
  }
  // Go's clients send null where they have nothing to say.
  if (value === null) return emptyBody;
  if (typeof value !== 'object' || Array.isArray(value))
    throw badRequest('failed to decode JSON input: not an object');
  const members = findMembers(text);
  if (typeof members === 'string') throw badRequest(`failed to decode JSON input: ${members}`);
  return {
    values: Object.assign(Object.create(null) as Record<string, unknown>, value),
    text: (name) => cut(text, members.get(name)),
  };
}

function cut(text: string, span: Span | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.start, span.end);
}
