import type { ReactNode } from 'react';
import type { IconType } from './Icon.tsx';

/**
 * Icons for the domain's nouns, drawn for this console on a 16 px grid: 1.5 px strokes, round ends, open shapes. They
 * accept the props of lucide's icons.
 */
export function draw(name: string, shape: ReactNode): IconType {
  const Drawing: IconType = ({ size = 16, strokeWidth = 1.5, className, 'aria-hidden': ariaHidden }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      // The stroke keeps its width at any icon size.
      strokeWidth={(Number(strokeWidth) * 16) / Number(size)}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden={ariaHidden}
    >
      {shape}
    </svg>
  );
  Drawing.displayName = name;
  return Drawing;
}
