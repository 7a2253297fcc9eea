import { hasMoreMembers } from '@gatehouse/service-kit/json-scan';
import { parseJson } from '@gatehouse/service-kit/parse-json';
import { findMembers, mostMembers, mostValueBytes } from './json/members.ts';
import type { Span } from './json/members.ts';
import { badRequest } from './refusal.ts';

/** A parsed body with the original text of each member. */
export interface Body {
  /** The members, in an object without a prototype. */
  readonly values: Readonly<Record<string, unknown>>;
  /** A member's original JSON text; undefined if the member does not exist. */
  text(name: string): string | undefined;
}

const noValues: Readonly<Record<string, unknown>> = Object.freeze(
  Object.create(null) as object as Record<string, unknown>,
);

/** The maximum length of a body in characters: twice the maximum size of a value. */
const longestText = 2 * mostValueBytes;

/** The body of a request without one. */
export const emptyBody: Body = { values: noValues, text: () => undefined };

/**
 * Parses a body's text; null is an empty body.
 * @throws Refusal 400 if the text is not a JSON object, is too long, too deep, or has repeated or too many members
 */
export function parseBody(text: string): Body {
  // Checked before parsing, which could block other requests for seconds.
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
  // Go clients send null for an empty body.
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
