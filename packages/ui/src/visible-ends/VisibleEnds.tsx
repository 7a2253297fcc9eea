import type { ReactNode } from 'react';
import { visibleNodes } from '../visible-text/visibleNodes.ts';

export interface VisibleEndsProps {
  text: string;
  /** The text is a path: the ends of each name are marked. */
  isPath?: boolean;
}

/** A text whose leading and trailing white space is visible and read out, because it matters but is easily missed. */
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

/** A mark beside the white space itself; it is not selectable, so it isn't copied. */
function mark(space: string, key: string): ReactNode {
  return (
    space && (
      <span key={key} role="img" aria-label="white space" className="bg-warn-tint text-warn select-none">
        {space.replaceAll('\n', '¶').replaceAll(/\s/g, '·')}
      </span>
    )
  );
}
