import { endOfString, skipSpace } from '@gatehouse/service-kit/parse-json';
import { endOfValue, keyOf } from './members.ts';

/**
 * Parsed JSON whose objects are split into members and whose other values stay text, so that they can be written
 * unchanged.
 */
export type JsonTree = string | JsonObject;

/** An object whose members keep their order, including repeated names. */
export interface JsonObject {
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly name: string;
  /** The name as written, with its quotes. */
  readonly literal: string;
  readonly value: JsonTree;
}

/** Parses well-formed JSON that is nested no deeper than `maxDepth`. */
export function parseTree(text: string): JsonTree {
  return valueAt(text, skipSpace(text, 0)).value;
}

/** The text of a tree: unchanged values keep their text, without the whitespace between members. */
export function treeText(tree: JsonTree): string {
  if (typeof tree === 'string') return tree;
  return `{${tree.members.map(({ literal, value }) => `${literal}:${treeText(value)}`).join(',')}}`;
}

function valueAt(text: string, start: number): { readonly value: JsonTree; readonly end: number } {
  if (text[start] === '{') return objectAt(text, start);
  const end = endOfValue(text, start) ?? text.length;
  return { value: text.slice(start, end), end };
}

function objectAt(text: string, start: number): { readonly value: JsonObject; readonly end: number } {
  const members: JsonMember[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const keyEnd = endOfString(text, at);
    const literal = text.slice(at, keyEnd);
    const { value, end } = valueAt(text, skipSpace(text, skipSpace(text, keyEnd) + 1));
    members.push({ name: keyOf(literal), literal, value });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { value: { members }, end: at + 1 };
}
