import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completionsAt, type FilterFieldName } from './filter-completion.ts';

const fields: readonly FilterFieldName[] = [
  { selector: '"/item/name"', detail: 'name' },
  { selector: '"/item/type"', detail: 'type', values: [{ text: 'tcp' }, { text: 'ssh' }] },
  { selector: '"/item/default_port"', detail: 'port', values: [{ text: '22' }], isBare: true },
];

/** The completions at the caret, marked by `|`. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  return completionsAt(marked.replace('|', ''), caret, fields);
}
const texts = (marked: string): readonly string[] => at(marked).items.map(({ text }) => text);

test.each([
  ['|', ['"/item/name"', '"/item/type"', '"/item/default_port"', 'not']],
  ['not |', ['"/item/name"', '"/item/type"', '"/item/default_port"', 'not']],
  ['(|', ['"/item/name"', '"/item/type"', '"/item/default_port"', 'not']],
  ['"/item/t|', ['"/item/type"']],
  ['typ|', ['"/item/type"']],
  ['"/item/type" =|', ['==', '!=']],
  ['"/item/type" is |', ['is empty', 'is not empty']],
  ['"/item/type" is no|', ['is not empty']],
  ['"/item/type" not |', ['not contains', 'not matches']],
  ['"/item/type" == |', ['"tcp"', '"ssh"']],
  ['"/item/type" == "s|', ['"ssh"']],
  ['"/item/default_port" == |', ['22']],
  ['"/item/type" == "ssh" |', ['and', 'or']],
  ['"/item/type" is empty |', ['and', 'or']],
  ['("/item/type" == "ssh") a|', ['and']],
  ['"/item/type" == "ssh" and "/item/n|', ['"/item/name"']],
  ['"db" in |', ['"/item/name"', '"/item/type"', '"/item/default_port"']],
  ['"/item/name" contains "x|', []],
])('%s', (marked, expected) => {
  expect(texts(marked)).toEqual(expected);
});

test('a completion replaces the word at the caret, with its closing quote', () => {
  expect(at('"/item/na|me" == "x"')).toMatchObject({ from: 0, to: 12 });
  expect(at('"/item/type" == "s|" and')).toMatchObject({ from: 16, to: 19 });
  expect(at('"/item/type" is n|')).toMatchObject({ from: 13, to: 17 });
});

test('a completion always replaces a range of the text', () => {
  const piece = fc.constantFrom(
    '"/item/name"',
    '"',
    '`',
    '==',
    'not',
    'is',
    '(',
    ')',
    'and',
    'in',
    'x',
    ' ',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(piece), fc.nat(60), (pieces, place) => {
      const text = pieces.join('');
      const caret = Math.min(place, text.length);
      const { from, to } = completionsAt(text, caret, fields);
      expect(from).toBeLessThanOrEqual(caret);
      expect(to).toBeGreaterThanOrEqual(caret);
      expect(to).toBeLessThanOrEqual(text.length);
      expect(from).toBeGreaterThanOrEqual(0);
    }),
  );
});
