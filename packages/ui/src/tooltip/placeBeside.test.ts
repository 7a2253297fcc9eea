import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeBeside } from './placeBeside.ts';

const window = { width: 1_000, height: 600 };
const size = { width: 100, height: 20 };

test('centers the box on the requested side', () => {
  const anchor = { left: 400, top: 300, width: 60, height: 30 };
  expect(placeBeside(anchor, size, 'bottom', window)).toEqual({ left: 380, top: 336 });
  expect(placeBeside(anchor, size, 'top', window)).toEqual({ left: 380, top: 274 });
  expect(placeBeside(anchor, size, 'right', window)).toEqual({ left: 466, top: 305 });
  expect(placeBeside(anchor, size, 'left', window)).toEqual({ left: 294, top: 305 });
});

test('uses the opposite side if there is no room', () => {
  expect(placeBeside({ left: 400, top: 570, width: 60, height: 28 }, size, 'bottom', window).top).toBe(544);
  expect(placeBeside({ left: 20, top: 300, width: 60, height: 28 }, size, 'left', window).left).toBe(86);
});

test('never exceeds the window', () => {
  const edge = fc.integer({ min: 0, max: 990 });
  fc.assert(
    fc.property(
      edge,
      fc.integer({ min: 0, max: 590 }),
      fc.constantFrom('top', 'bottom', 'left', 'right'),
      (left, top, side) => {
        const place = placeBeside({ left, top, width: 28, height: 28 }, size, side, window);
        expect(place.left).toBeGreaterThanOrEqual(8);
        expect(place.left + size.width).toBeLessThanOrEqual(992);
        expect(place.top).toBeGreaterThanOrEqual(8);
        expect(place.top + size.height).toBeLessThanOrEqual(592);
      },
    ),
  );
});
