export type Side = 'top' | 'bottom' | 'left' | 'right';

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** px between what is described and its words. */
const gap = 6;
/** px that are kept free at the edge of the window. */
const margin = 8;

const opposite: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

function at(side: Side, anchor: Box, size: { width: number; height: number }): { left: number; top: number } {
  const centred = {
    left: anchor.left + (anchor.width - size.width) / 2,
    top: anchor.top + (anchor.height - size.height) / 2,
  };
  switch (side) {
    case 'top':
      return { left: centred.left, top: anchor.top - size.height - gap };
    case 'bottom':
      return { left: centred.left, top: anchor.top + anchor.height + gap };
    case 'left':
      return { left: anchor.left - size.width - gap, top: centred.top };
    case 'right':
      return { left: anchor.left + anchor.width + gap, top: centred.top };
  }
}

/**
 * Where a box of `size` stands beside `anchor`: centred on the wanted side, on the opposite one where there is no
 * room, and never over the edge of the window. All in px of the window.
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
