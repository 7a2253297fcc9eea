import { endOfString, skipSpace } from '@gatehouse/service-kit/parse-json';
import { endOfValue, keyOf } from './members.ts';

/** Characters read in one go, where each member counts as 256 more. The largest text takes some 10 ms in all. */
const charactersInOneGo = 64 * 1024;

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

/**
 * Parses a well-formed JSON object that is nested no deeper than `maxDepth`.
 * @param giveWay lets other requests continue
 */
export async function parseTree(text: string, giveWay: () => Promise<void>): Promise<JsonObject> {
  const root: JsonMember[] = [];
  /** The members of the objects that have begun, the innermost last. */
  const open = [root];
  let done = 0;
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  for (let members = open.at(-1); members !== undefined; members = open.at(-1)) {
    if (text[at] === '}') {
      open.pop();
      at = skipSpace(text, at + 1);
    } else {
      const start = text[at] === ',' ? skipSpace(text, at + 1) : at;
      const keyEnd = endOfString(text, start);
      const literal = text.slice(start, keyEnd);
      const from = skipSpace(text, skipSpace(text, keyEnd) + 1);
      const inner: JsonMember[] | undefined = text[from] === '{' ? [] : undefined;
      const end = inner === undefined ? (endOfValue(text, from) ?? text.length) : from + 1;
      const value = inner === undefined ? text.slice(from, end) : { members: inner };
      members.push({ name: keyOf(literal), literal, value });
      if (inner !== undefined) open.push(inner);
      done += 256 + end - at;
      at = skipSpace(text, end);
      if (done < charactersInOneGo) continue;
      done = 0;
      await giveWay();
    }
  }
  return { members: root };
}

/** The text of a tree: unchanged values keep their text, without the whitespace between members. */
export function treeText(tree: JsonTree): string {
  // Joined once: joining each level would copy the innermost text as many times as it is deep.
  const pieces: string[] = [];
  const add = (value: JsonTree): void => {
    if (typeof value === 'string') {
      pieces.push(value);
      return;
    }
    let before = '{';
    for (const { literal, value: inner } of value.members) {
      pieces.push(before, literal, ':');
      add(inner);
      before = ',';
    }
    pieces.push(value.members.length === 0 ? '{}' : '}');
  };
  add(tree);
  return pieces.join('');
}
