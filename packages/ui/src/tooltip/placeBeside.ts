export type Side = 'top' | 'bottom' | 'left' | 'right';

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Gap between the anchor and the box, in px. */
const gap = 6;
/** Free space at the edge of the window, in px. */
const margin = 8;

const opposite: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

function at(side: Side, anchor: Box, size: { width: number; height: number }): { left: number; top: number } {
  const centered = {
    left: anchor.left + (anchor.width - size.width) / 2,
    top: anchor.top + (anchor.height - size.height) / 2,
  };
  switch (side) {
    case 'top':
      return { left: centered.left, top: anchor.top - size.height - gap };
    case 'bottom':
      return { left: centered.left, top: anchor.top + anchor.height + gap };
    case 'left':
      return { left: anchor.left - size.width - gap, top: centered.top };
    case 'right':
      return { left: anchor.left + anchor.width + gap, top: centered.top };
  }
}

/**
 * The position of a box of `size` beside `anchor`: centered on the requested side, on the opposite one if there is no
 * room, and never beyond the window. All in window px.
 */
export function placeBeside(
  anchor: Box,
  size: { width: number; height: number },
  side: Side,
  window: { width: number; height: number },
): { left: number; top: number } {
  const fits = ({ left, top }: { left: number; top: number }) =>
    side === 'top' || side === 'bottom'
      ? top >= margin && top + size.height <= window.height - margin
      : left >= margin && left + size.width <= window.width - margin;
  const wanted = at(side, anchor, size);
  const other = at(opposite[side], anchor, size);
  const chosen = !fits(wanted) && fits(other) ? other : wanted;
  return {
    left: Math.round(Math.max(margin, Math.min(chosen.left, window.width - size.width - margin))),
    top: Math.round(Math.max(margin, Math.min(chosen.top, window.height - size.height - margin))),
  };
}
