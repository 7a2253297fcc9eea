import type { ReactNode } from 'react';
import { jsx } from 'react/jsx-runtime';
import { characterName, partsOf, visibleText } from './visibleText.ts';

const rightToLeft = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;

/** A run of right-to-left text, from its first letter to its last. */
const turned = new RegExp(String.raw`(${rightToLeft}(?:\P{L}*${rightToLeft})*)`, 'v');

/** Most characters of a text rendered in parts, because every character may need its own element. */
const longest = 4096;

/**
 * Renders a text with visible hidden and direction-changing characters, and isolates right-to-left runs so that they
 * don't reorder their surroundings. Copying a selection copies the characters without the marks, except in long texts.
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
          // In its own box, the character doesn't affect the direction of the surrounding text.
          element('span', part, 'inline-block'),
          element('span', characterName(part), 'bg-warn-tint text-warn select-none'),
        ],
  );
  return nodes.length === 1 ? nodes[0] : nodes;
}
