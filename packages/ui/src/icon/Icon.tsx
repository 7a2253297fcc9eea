import type { ComponentType } from 'react';

/** The props that an icon must accept; those of lucide-react and the domain icons do. */
export type IconType = ComponentType<{
  size?: number | string;
  strokeWidth?: number | string;
  absoluteStrokeWidth?: boolean;
  className?: string;
  'aria-hidden'?: boolean | 'true' | 'false';
}>;

export interface IconProps {
  /** An icon of lucide-react or a domain icon. */
  icon: IconType;
  /** Edge in px; 16 unless the icon stands alone. */
  size?: 12 | 14 | 16 | 20 | 24 | 32;
  className?: string;
}

/**
 * An icon in the design's size and stroke: 16 px, with a 1.5 px stroke at any size. Always decorative: the text beside
 * it, or its button's label, has the meaning.
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
