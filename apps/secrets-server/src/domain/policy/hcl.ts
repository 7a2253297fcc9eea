import { PolicyFault } from './policy-fault.ts';
import type { Position } from './policy-fault.ts';
import type { Token } from './scanner.ts';

export type HclValue =
  | { readonly kind: 'string'; readonly value: string; readonly at: Position }
  | { readonly kind: 'number'; readonly value: number; readonly at: Position }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: Position }
  | { readonly kind: 'null'; readonly at: Position }
  | { readonly kind: 'list'; readonly values: readonly HclValue[]; readonly at: Position }
  | { readonly kind: 'object'; readonly items: readonly HclItem[]; readonly at: Position };

/** `name = value`, or a block `name "label" { … }`, which has two keys. */
export interface HclItem {
  readonly keys: readonly { readonly text: string; readonly at: Position }[];
  readonly value: HclValue;
}

/** The maximum nesting of a text; policies need four levels. */
const maxDepth = 32;

/** Parses HCL version 1, the language of policies, or its JSON form. @param tokens of `scan` @throws PolicyFault */
export function parseHcl(tokens: readonly Token[]): readonly HclItem[] {
  let next = 0;
  const end: Token = { kind: 'end', text: '', at: { line: 1, column: 1 } };
  const peek = (): Token => tokens[next] ?? tokens.at(-1) ?? end;
  const take = (): Token => {
    const token = peek();
    next += 1;
    return token;
  };
  const isMark = (token: Token, mark: string): boolean => token.kind === 'mark' && token.text === mark;
  const takeMark = (mark: string): boolean => {
    if (!isMark(peek(), mark)) return false;
    next += 1;
    return true;
  };

  const parseItems = (closing: '}' | 'end', depth: number): HclItem[] => {
    const items: HclItem[] = [];
    for (;;) {
      const token = peek();
      if (closing === 'end' ? token.kind === 'end' : isMark(token, '}')) {
        next += 1;
        return items;
      }
      items.push(parseItem(depth));
      takeMark(',');
    }
  };

  const parseItem = (depth: number): HclItem => {
    const keys: { text: string; at: Position }[] = [];
    while (peek().kind === 'word' || peek().kind === 'string') {
      const { text: key, at } = take();
      keys.push({ text: key, at });
    }
    const token = peek();
    if (keys.length === 0) throw unexpected(token, 'a name');
    if (isMark(token, '{')) return { keys, value: parseValue(depth) };
    if (keys.length > 1 || !(isMark(token, '=') || isMark(token, ':'))) throw unexpected(token, '"=" or "{"');
    next += 1;
    return { keys, value: parseValue(depth) };
  };

  const parseValue = (depth: number): HclValue => {
    const token = take();
    const { at } = token;
    if (depth > maxDepth) throw new PolicyFault(at, `nested deeper than ${maxDepth} levels`);
    switch (token.kind) {
      case 'string':
        return { kind: 'string', value: token.text, at };
      case 'number':
        return { kind: 'number', value: Number(token.text), at };
      case 'word':
        if (token.text === 'true' || token.text === 'false')
          return { kind: 'boolean', value: token.text === 'true', at };
        if (token.text === 'null') return { kind: 'null', at };
        throw unexpected(token, 'a value');
      case 'mark':
        if (token.text === '{') return { kind: 'object', items: parseItems('}', depth + 1), at };
        if (token.text === '[') return { kind: 'list', values: parseList(depth + 1), at };
        throw unexpected(token, 'a value');
      case 'end':
        throw unexpected(token, 'a value');
    }
  };

  const parseList = (depth: number): HclValue[] => {
    const values: HclValue[] = [];
    for (;;) {
      if (takeMark(']')) return values;
      values.push(parseValue(depth));
      if (!isMark(peek(), ']') && !takeMark(',')) throw unexpected(peek(), '"," or "]"');
    }
  };

  if (!takeMark('{')) return parseItems('end', 0);
  const items = parseItems('}', 0);
  if (peek().kind !== 'end') throw unexpected(peek(), 'the end');
  return items;
}

function unexpected(token: Token, wanted: string): PolicyFault {
  const found = token.kind === 'end' ? 'the end of the text' : JSON.stringify(token.text);
  return new PolicyFault(token.at, `expected ${wanted}, found ${found}`);
}
