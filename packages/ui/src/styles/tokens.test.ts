import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Lightness, chroma and hue (in degrees) of an OKLCH color. */
type Color = readonly [number, number, number];

const folder = import.meta.dirname;
const tokens = readFileSync(join(folder, 'tokens.css'), 'utf8');
const environments = readFileSync(join(folder, 'environment.css'), 'utf8');

function oklchTokens(css: string): Map<string, Color> {
  const found = css.matchAll(/--([\w-]+):\s*oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g);
  return new Map([...found].map(([, name, l, c, h]) => [String(name), [Number(l), Number(c), Number(h)]]));
}

const darkStart = tokens.indexOf('@variant dark');
const light = oklchTokens(tokens.slice(0, darkStart));
const dark = new Map([...light, ...oklchTokens(tokens.slice(darkStart))]);

/** Converts OKLCH to OKLab. */
function lab([l, c, h]: Color): Color {
  const turn = (h * Math.PI) / 180;
  return [l, c * Math.cos(turn), c * Math.sin(turn)];
}

/** Converts OKLab to linear sRGB, clipped to the gamut as on a screen (CSS Color 4, Ottosson's matrices). */
function linearRgb([L, a, b]: Color): Color {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (value: number) => Math.min(Math.max(value, 0), 1);
  return [
    cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function luminance(oklab: Color): number {
  const [r, g, b] = linearRgb(oklab);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG's contrast ratio of two OKLab colors. */
function contrast(first: Color, second: Color): number {
  const [high, low] = [luminance(first), luminance(second)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** `color-mix(in oklab, first share%, second)`. */
function mix(first: Color, share: number, second: Color): Color {
  const part = (index: 0 | 1 | 2) => first[index] * share + second[index] * (1 - share);
  return [part(0), part(1), part(2)];
}

describe.each([
  ['light', light],
  ['dark', dark],
])('tokens, %s', (_, theme) => {
  function color(name: string): Color {
    const found = theme.get(name);
    if (found === undefined) throw new Error(`tokens.css has no ${name}.`);
    return lab(found);
  }
  const grounds = ['page', 'surface', 'raised', 'sunken', 'hover', 'selected'];

  test.each(['text-1', 'text-2', 'text-3'].flatMap((ink) => grounds.map((ground) => [ink, ground] as const)))(
    'have enough contrast for %s on %s',
    (ink, ground) => {
      expect(contrast(color(ink), color(ground))).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(
    ['accent', 'ok', 'warn', 'danger', 'info'].flatMap((tone) =>
      grounds.map((ground) => [tone, ground] as const),
    ),
  )('have enough contrast for the tone %s on %s', (tone, ground) => {
    expect(contrast(color(tone), color(ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['accent', 'ok', 'warn', 'danger', 'info'])(
    "have enough contrast for %s, text-1 and text-2 on that tone's tint",
    (tone) => {
      const tint = mix(color(tone), 0.09, color('surface'));
      for (const ink of [tone, 'text-1', 'text-2'])
        expect(contrast(color(ink), tint)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each([
    ['on-accent', 'accent'],
    ['on-danger', 'danger'],
  ])('have enough contrast for %s on %s, also when hovered', (ink, ground) => {
    expect(contrast(color(ink), color(ground))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color(ink), mix(color(ground), 0.82, color('text-1')))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['page', 'surface', 'raised'])(
    'have enough contrast for the line of a control on %s',
    (ground) => {
      expect(contrast(color('control-line'), color(ground))).toBeGreaterThanOrEqual(3);
    },
  );

  test('have enough contrast for the text of a disabled control', () => {
    expect(contrast(color('text-3'), color('sunken'))).toBeGreaterThanOrEqual(4.5);
  });
});

test.each(['production', 'staging', 'development'])(
  'has enough contrast for the name of %s on its color',
  (kind) => {
    const block = environments.slice(environments.indexOf(`[data-environment='${kind}']`));
    const found = oklchTokens(block.slice(0, block.indexOf('}')));
    const ground = found.get('environment');
    const ink = found.get('environment-ink');
    if (ground === undefined || ink === undefined)
      throw new Error(`environment.css lacks a color of ${kind}.`);
    expect(contrast(lab(ink), lab(ground))).toBeGreaterThanOrEqual(4.5);
  },
);

test('defines the same colors in both themes', () => {
  const own = oklchTokens(tokens.slice(darkStart));
  expect([...light.keys()].filter((name) => !own.has(name))).toEqual([]);
});
