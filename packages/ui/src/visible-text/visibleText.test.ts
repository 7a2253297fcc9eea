import { expect, test } from 'vitest';
import { visibleText } from './visibleText.ts';

test.each([
  'alpha',
  '',
  'a b\tc\nd',
  'Ünïcode e\u0301 日本 한국어 שלום مرحبا',
  // Emoji with joiners, selectors and tags.
  '👩‍💻 ❤️ 1️⃣ 🏳️‍🌈 👍🏽 🇫🇷 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  // Joiners required by the spelling.
  'می\u200cخواهم',
  'क्\u200dष',
])('shows %j unchanged', (text) => {
  expect(visibleText(text)).toBe(text);
});

test.each([
  ['alpha\u200b', 'alpha[U+200B]'],
  ['\u202egpj.exe', '[U+202E]gpj.exe'],
  ['a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
  ['so\u00adft', 'so[U+00AD]ft'],
  ['\ufeffa', '[U+FEFF]a'],
  ['\u2800', '[U+2800]'],
  ['\u3164\u115f\u1160\uffa0', '[U+3164][U+115F][U+1160][U+FFA0]'],
  ['a\u{e0041}', 'a[U+E0041]'],
  ['al\u200dpha', 'al[U+200D]pha'],
  ['alpha\ufe0f', 'alpha[U+FE0F]'],
  ['1\ufe0f', '1[U+FE0F]'],
  ['👩\u200d', '👩[U+200D]'],
  ['\u0301a', '[U+0301]a'],
  ['a\u0000\u0085', 'a[U+0000][U+0085]'],
  ['a\u2028b', 'a[U+2028]b'],
])('shows %j as %s', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
