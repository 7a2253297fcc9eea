import { endOfString, lastOfNumber, skipSpace } from './parse-json.ts';

/** Limits of a JSON text that `findJsonFault` enforces. */
export interface JsonLimits {
  /** Deepest nesting of objects and arrays; the outermost value has depth 1. */
  readonly maxDepth: number;
  /** Most members of all objects plus commas of all arrays. */
  readonly maxKeys: number;
  /**
   * Members of the outermost object that may contain repeated keys and `__proto__`, because they are data, not
   * structure.
   */
  readonly freeMembers?: readonly string[];
}

/** Why a JSON text was refused. */
export type JsonFault =
  | { readonly kind: 'too_deep' }
  | { readonly kind: 'too_many_keys' }
  | { readonly kind: 'duplicate_key'; readonly key: string }
  | { readonly kind: 'forbidden_key'; readonly key: string };

const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const comma = 0x2c;

/**
 * Finds what `JSON.parse` accepts silently: repeated keys (the last one wins), `__proto__`, and too deep nesting or too
 * many members. Makes one pass without copying the text.
 *
 * Assumes well-formed JSON: malformed text may pass, and `JSON.parse` then refuses it.
 * @returns the first fault, or undefined
 */
export function findJsonFault(text: string, limits: JsonLimits): JsonFault | undefined {
  const free = limits.freeMembers ?? [];
  /** One entry per open container: an object's keys so far, or a marker if its keys are not checked. */
  const open: (Set<string> | 'array' | 'free object')[] = [];
  let members = 0;
  let freeDepth = 0;
  let lastString: string | undefined;

  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        // A string is a key exactly if a colon follows. Only keys are extracted from the text.
        const next = skipSpace(text, end);
        lastString = undefined;
        if (text.charCodeAt(next) === colon) {
          if (++members > limits.maxKeys) return { kind: 'too_many_keys' };
          const key = readKey(text.slice(at, end));
          if (key === undefined) return undefined;
          if (freeDepth === 0) {
            const seen = open.at(-1);
            if (key === '__proto__') return { kind: 'forbidden_key', key };
            if (seen instanceof Set) {
              if (seen.has(key)) return { kind: 'duplicate_key', key };
              seen.add(key);
            }
          }
          lastString = key;
          at = next;
        } else {
          at = end - 1;
        }
        break;
      }
      case openBrace:
      case openBracket:
        if (freeDepth === 0 && open.length === 1 && lastString !== undefined && free.includes(lastString))
          freeDepth = 2;
        if (text.charCodeAt(at) === openBracket) open.push('array');
        else open.push(freeDepth === 0 ? new Set() : 'free object');
        if (open.length > limits.maxDepth) return { kind: 'too_deep' };
        lastString = undefined;
        break;
      case closeBrace:
      case closeBracket:
        if (open.length === freeDepth) freeDepth = 0;
        open.pop();
        break;
      case comma:
        lastString = undefined;
        // Members are counted at their colon, array elements here.
        if (open.at(-1) === 'array' && ++members > limits.maxKeys) return { kind: 'too_many_keys' };
        break;
      default:
        at = lastOfNumber(text, at);
    }
  }
  return undefined;
}

/** Whether objects and arrays in a JSON text are nested deeper than `maxDepth`; the outermost value has depth 1. */
export function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at) - 1;
        break;
      case openBrace:
      case openBracket:
        if (++depth > maxDepth) return true;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      default:
        at = lastOfNumber(text, at);
    }
  }
  return false;
}

/** Whether the objects and arrays in a JSON text have more than `most` members and elements. */
export function hasMoreMembers(text: string, most: number): boolean {
  // Each takes at least one character.
  if (text.length <= most) return false;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at) - 1;
        break;
      case openBrace:
      case openBracket: {
        const next = text.charCodeAt(skipSpace(text, at + 1));
        if (next !== closeBrace && next !== closeBracket && ++count > most) return true;
        break;
      }
      case comma:
        if (++count > most) return true;
        break;
      default:
        at = lastOfNumber(text, at);
    }
  }
  return false;
}

function readKey(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    const key: unknown = JSON.parse(literal);
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
