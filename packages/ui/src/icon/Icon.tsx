import type { ComponentType } from 'react';

/** What an icon has to accept: every icon of lucide-react does, and so do those of the domain. */
export type IconType = ComponentType<{
  size?: number | string;
  strokeWidth?: number | string;
  absoluteStrokeWidth?: boolean;
  className?: string;
  'aria-hidden'?: boolean | 'true' | 'false';
}>;

export interface IconProps {
  /** An icon of lucide-react or one of the domain's own. */
  icon: IconType;
  /** Edge in px; 16 unless the icon stands alone. */
  size?: 12 | 14 | 16 | 20 | 24 | 32;
  className?: string;
}

/**
 * An icon at the size and stroke of the design: 16 px, 1.5 px whatever the size.
 * Always decorative: the words beside it, or the label of its button, carry the meaning.
 */
export function Icon({ icon: Drawing, size = 16, className = '' }: IconProps) {
  return (
    <Drawing
      aria-hidden
      size={size}
      strokeWidth={1.5}
      absoluteStrokeWidth
      className={`shrink-0 ${className}`}
    />
  );
}
