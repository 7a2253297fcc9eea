import { hasMoreMembers } from '@gatehouse/service-kit/json-scan';
import type { Body } from './body.ts';
import { longestDuration, parseDuration } from './duration.ts';
import { mostMembers, mostValueBytes } from './json/members.ts';
import { badRequest } from './refusal.ts';

/**
 * Readers for members of a body, as lenient as Vault's clients expect: numbers are accepted as text, and lists as text
 * with commas. A missing or null member is undefined.
 * @throws Refusal 400 `Field validation failed: …`, from each reader
 */

/** Reads a text; numbers and booleans are converted. */
export function textField(body: Body, name: string): string | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(name, 'not a string');
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

/** Reads a duration in whole seconds, which may be negative. */
export function durationField(body: Body, name: string): number | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  const seconds = parseDuration(value);
  if (seconds === undefined || Math.abs(seconds) > longestDuration) {
    throw invalid(
      name,
      typeof value === 'string' ? `time: invalid duration ${JSON.stringify(value)}` : 'not a duration',
    );
  }
  return Math.trunc(seconds);
}

/** Reads a list of texts: a JSON array, or a text with commas. */
export function textListField(body: Body, name: string): string[] | undefined {
  const value = body.values[name];
  if (value === undefined || value === null) return undefined;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
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
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return parts.map((part) => {
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

/** The maximum length of a text that is split at its commas. Such items don't count as members of the body. */
const longestList = 256 * 1024;

function elementsOf(text: string, name: string): string[] {
  if (text.length > longestList) throw invalid(name, `text of more than ${longestList} characters`);
  return text.split(',');
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
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw invalid(name, 'not an integer');
  return number;
}

function invalid(name: string, why: string): Error {
  return badRequest(`Field validation failed: error converting input for field "${name}": ${why}`);
}
