import type { ReactNode } from 'react';
import { visibleNodes } from '../visible-text/visibleNodes.ts';

export interface VisibleEndsProps {
  text: string;
  /** A path: of each name in it the ends are marked. */
  isPath?: boolean;
}

/** A text in which white space at the ends is seen and read out: it belongs to the text, and is easily missed. */
export function VisibleEnds({ text, isPath }: VisibleEndsProps): ReactNode {
  const names = isPath === true ? text.split('/') : [text];
  return names.flatMap((name, index) => {
    const inner = name.trim();
    const start = name.indexOf(inner);
    return [
      index > 0 && '/',
      mark(name.slice(0, start), `${String(index)}<`),
      visibleNodes(name),
      mark(name.slice(start + inner.length), `${String(index)}>`),
    ];
  });
}

/** Beside the white space itself: who selects the text to copy it leaves the mark out. */
function mark(space: string, key: string): ReactNode {
  return (
    space && (
      <span key={key} role="img" aria-label="white space" className="bg-warn-tint text-warn select-none">
        {space.replaceAll('\n', '¶').replaceAll(/\s/g, '·')}
      </span>
    )
  );
}
