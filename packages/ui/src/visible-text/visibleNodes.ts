import type { ReactNode } from 'react';
import { jsx } from 'react/jsx-runtime';
import { characterName, partsOf, visibleText } from './visibleText.ts';

const rightToLeft = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;

/** From the first letter of a text that is written from right to left to its last. */
const turned = new RegExp(String.raw`(${rightToLeft}(?:\P{L}*${rightToLeft})*)`, 'v');

/** Most characters of a text that is drawn in parts: each character may be one. */
const longest = 4096;

/**
 * A text to be drawn: characters that hide or turn text are seen, and text that is written from right to left doesn't reorder
 * what is around it. Selecting the text to copy it leaves the marks out and copies the characters; not of a text that is long.
 */
export function visibleNodes(text: string): ReactNode {
  if (text.length > longest) return visibleText(text);
  let key = 0;
  const element = (type: 'bdi' | 'span', children: string, className?: string) =>
    jsx(type, { children, className }, key++);
  const nodes = partsOf(text).flatMap((part, at) =>
    at % 2 === 0
      ? part.split(turned).map((run, side) => (side % 2 === 0 ? run : element('bdi', run)))
      : [
          // A box of its own: in it, the character turns nothing of the text around it.
          element('span', part, 'inline-block'),
          element('span', characterName(part), 'bg-warn-tint text-warn select-none'),
        ],
  );
  return nodes.length === 1 ? nodes[0] : nodes;
}
