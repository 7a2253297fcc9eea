import { hasMoreMembers } from '@gatehouse/service-kit/json-scan';
import type { Body } from './body.ts';
import { longestDuration, longestDurationText, parseDuration, wholeSeconds } from './duration.ts';
import { mostMembers, mostValueBytes } from './json/members.ts';
import { badRequest } from './refusal.ts';

/**
 * Readers for members of a body, as lenient as Vault's clients expect: numbers are accepted as text, and lists as text
 * with commas. A missing or null member is undefined. All are limited in length: a body can have 8 million characters,
 * and what is done with a text may take long or keep it in memory.
 * @throws Refusal 400 `Field validation failed: …`, from each reader
 */

/** The maximum length of a text in characters, and of a map's names and texts in all, in bytes. */
const longestText = 64 * 1024;
/** The maximum length of a list's texts in all, in characters. */
const longestList = 256 * 1024;
/** The maximum number of a map's members. */
const mostPairs = 64;
/** The maximum length of a number that is written as text, in characters. */
const longestNumber = 100;

/** Reads a text; numbers and booleans are converted. @param longest in characters */
export function textField(body: Body, name: string, longest = longestText): string | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return atMost(longest, value, name);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(name, 'not a string');
}

/** Reads a JSON text, which isn't parsed. @param most members and elements of all its objects and lists */
export function jsonTextField(body: Body, name: string, most: number): string | undefined {
  const text = textField(body, name);
  if (text !== undefined && hasMoreMembers(text, most))
    throw invalid(name, `more than ${most} members and elements`);
  return text;
}

/** Reads a whole number. */
export function integerField(body: Body, name: string): number | undefined {
  return toInteger(body.values[name], name);
}

/** Reads a boolean; `"true"`, `"1"`, 1 and their opposites are accepted. */
export function booleanField(body: Body, name: string): boolean | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  if (value === 1 || (typeof value === 'string' && /^(?:1|t|true)$/i.test(value))) return true;
  if (value === 0 || (typeof value === 'string' && /^(?:0|f|false|)$/i.test(value))) return false;
  throw invalid(name, 'not a boolean');
}

/** Reads a duration in whole seconds, as `wholeSeconds`, which may be negative. */
export function durationField(body: Body, name: string): number | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') atMost(longestDurationText, value, name);
  const seconds = parseDuration(value);
  if (seconds === undefined || Math.abs(seconds) > longestDuration) {
    throw invalid(
      name,
      typeof value === 'string' ? `time: invalid duration ${JSON.stringify(value)}` : 'not a duration',
    );
  }
  return wholeSeconds(seconds);
}

/** Reads a list of texts: a JSON array, or a text with commas. @param longest of an array's texts in all, in characters */
export function textListField(body: Body, name: string, longest = longestList): string[] | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  const parts = partsOf(value, name, longest);
  const texts: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      for (const text of Array.isArray(value) ? [part] : elementsOf(part, name)) {
        if (text.trim() !== '') texts.push(text.trim());
      }
    } else if (typeof part === 'number' || typeof part === 'boolean') texts.push(String(part));
    else throw invalid(name, 'not a list of strings');
  }
  return texts;
}

/** Reads a list of texts without splitting or trimming them: a JSON array, or one text. */
export function verbatimListField(body: Body, name: string): string[] | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  return partsOf(value, name, longestList).map((part) => {
    if (typeof part === 'number' || typeof part === 'boolean') return String(part);
    if (typeof part !== 'string') throw invalid(name, 'not a list of strings');
    return part;
  });
}

/** Reads a list of whole numbers: a JSON array, a single number, or a text with commas. */
export function integerListField(body: Body, name: string): number[] | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  const parts: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? elementsOf(value, name).filter((part) => part.trim() !== '')
      : [value];
  return parts.map((part) => toInteger(part, name) ?? 0);
}

/** @throws Refusal 400 for a value's JSON text with more than `mostValueBytes` or `mostMembers` */
export function checkValueSize(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > mostValueBytes)
    throw badRequest(`value being too large; got ${bytes} bytes, max: ${mostValueBytes} bytes`);
  if (hasMoreMembers(text, mostMembers))
    throw badRequest(`value has too many members (at most ${mostMembers})`);
}

/** Splits a text at its commas. Such items don't count as members of the body. */
function elementsOf(text: string, name: string): string[] {
  return atMost(longestList, text, name).split(',');
}

function partsOf(value: unknown, name: string, longest: number): readonly unknown[] {
  if (!Array.isArray(value)) return [value];
  const parts: readonly unknown[] = value;
  let length = 0;
  for (const part of parts) if (typeof part === 'string') length += part.length;
  if (length > longest) throw invalid(name, `texts of more than ${longest} characters in all`);
  return parts;
}

function atMost(longest: number, text: string, name: string): string {
  if (text.length > longest) throw invalid(name, `text of more than ${longest} characters`);
  return text;
}

/** @throws Refusal 400 for a map of texts with more than 64 members, or more bytes of names and texts; 64 KiB by default */
export function checkPairs(
  pairs: readonly (readonly [string, string])[],
  name: string,
  most = longestText,
): void {
  if (pairs.length > mostPairs) throw invalid(name, `more than ${mostPairs} members`);
  let bytes = 0;
  for (const [key, text] of pairs) bytes += Buffer.byteLength(key) + Buffer.byteLength(text);
  if (bytes > most) throw invalid(name, `more than ${most} bytes`);
}

/** Reads a map, without converting its members. */
export function mapField(body: Body, name: string): Readonly<Record<string, unknown>> | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(name, 'not a map');
  return value as Readonly<Record<string, unknown>>;
}

/** Reads a whole number from a query parameter or a map's member. @throws Refusal 400 */
export function toInteger(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number =
    typeof value === 'string' && value.length <= longestNumber && /^\s*[+-]?\d+\s*$/.test(value)
      ? Number(value)
      : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw invalid(name, 'not an integer');
  return number;
}

/**
 * Reads a number from the query; 0 if it is missing.
 * @throws Refusal 400, also for other ways to write a number, such as `01`: a policy that denies `version=1` compares
 *   texts
 */
export function numberParameter({ query }: { readonly query: URLSearchParams }, name: string): number {
  const text = query.get(name);
  if (text === null) return 0;
  return toInteger(/^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : NaN, name) ?? 0;
}

function invalid(name: string, why: string): Error {
  return badRequest(`Field validation failed: error converting input for field "${name}": ${why}`);
}
