/**
 * Completions for the controller's filter expressions (the language of go-bexpr). They depend only on the
 * words before the caret; the controller decides whether the whole is valid.
 */

export interface FilterFieldName {
  /** As in expressions: `"/item/name"`. */
  readonly selector: string;
  /** A short description. */
  readonly detail: string;
  /** Common values, without quotes. */
  readonly values?: readonly { readonly text: string; readonly detail?: string }[];
  /** Whether values are written without quotes: numbers, true and false. */
  readonly isBare?: boolean;
}

export interface Completion {
  /** Replaces the text from `from` to `to`. */
  readonly text: string;
  readonly detail: string;
}

export interface Completions {
  /** Start of the current word, in UTF-16 units. */
  readonly from: number;
  /** End of the current word, at the caret or behind it. */
  readonly to: number;
  readonly items: readonly Completion[];
}

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const operators: readonly Completion[] = [
  { text: '==', detail: 'equals' },
  { text: '!=', detail: 'differs from' },
  { text: 'contains', detail: 'contains this text or element' },
  { text: 'not contains', detail: 'does not contain this text or element' },
  { text: 'matches', detail: 'matches a regular expression' },
  { text: 'not matches', detail: 'does not match a regular expression' },
  { text: 'is empty', detail: 'has no value' },
  { text: 'is not empty', detail: 'has a value' },
];
const joins: readonly Completion[] = [
  { text: 'and', detail: 'both hold' },
  { text: 'or', detail: 'either holds' },
];
const valueOperators = new Set(['==', '!=', 'contains', 'matches', 'in']);

/** Words, quoted texts and symbols; an unfinished quote extends to the end. */
function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"?|`[^`]*`?|[()]|==|!=|[^\s()"`=!]+|[=!]+/gsu)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

type Expected = 'operand' | 'operator' | 'value' | 'join' | 'selector';

interface State {
  readonly expected: Expected;
  /** The compared field. */
  readonly field: string | undefined;
}

/** What may follow the words. */
function stateAfter(words: readonly Word[]): State {
  let expected: Expected = 'operand';
  let field: string | undefined;
  for (const { text } of words) {
    switch (expected) {
      case 'operand':
        if (text === 'not' || text === '(') break;
        field = text;
        expected = 'operator';
        break;
      case 'operator':
        if (text === 'in') expected = 'selector';
        else if (valueOperators.has(text)) expected = 'value';
        else if (text === 'empty' || text === 'nil') expected = 'join';
        // `is` and `not` are the first of two words.
        break;
      case 'value':
      case 'selector':
        expected = 'join';
        break;
      case 'join':
        if (text === 'and' || text === 'or') {
          expected = 'operand';
          field = undefined;
        }
        break;
    }
  }
  return { expected, field };
}

/**
 * Completions of the word at the caret, best first.
 * @param caret offset in `text`, in UTF-16 units
 * @param fields of the filtered records
 */
export function completionsAt(text: string, caret: number, fields: readonly FilterFieldName[]): Completions {
  const words = wordsOf(text.slice(0, caret));
  const last = words.at(-1);
  const isInWord = last !== undefined && last.to === caret && last.text !== '(' && last.text !== ')';
  let before = isInWord ? words.slice(0, -1) : words;
  let word = isInWord ? last.text : '';
  let from = isInWord ? last.from : caret;
  let { expected, field } = stateAfter(before);
  let isJoined = false;
  // Two words of one operator are completed together.
  const first = before.at(-1);
  if (expected === 'operator' && first && before.length > 1 && /^(?:is|not)$/.test(first.text)) {
    const start = before.findLastIndex(({ text: one }) => !/^(?:is|not)$/.test(one)) + 1;
    from = before[start]?.from ?? from;
    word = text.slice(from, caret);
    before = before.slice(0, start);
    isJoined = true;
    ({ expected, field } = stateAfter(before));
  }
  const needle = word.toLowerCase().replace(/^["`]/, '');
  const starts = ({ text: candidate }: Completion): boolean =>
    candidate.toLowerCase().replace(/^"/, '').startsWith(needle);
  const items = candidates(expected, field, fields).filter(
    (item) => item.text !== word && (isJoined ? starts(item) : item.text.toLowerCase().includes(needle)),
  );
  // A quoted word is replaced up to its end behind the caret.
  const rest =
    isInWord && /^["`]/.test(word) ? (/^[^\s"`()]*["`]?/.exec(text.slice(caret))?.[0].length ?? 0) : 0;
  return {
    from,
    to: caret + rest,
    items: items.toSorted((a, b) => Number(starts(b)) - Number(starts(a))),
  };
}

function candidates(
  expected: Expected,
  field: string | undefined,
  fields: readonly FilterFieldName[],
): readonly Completion[] {
  const selectors = fields.map(({ selector, detail }) => ({ text: selector, detail }));
  switch (expected) {
    case 'operand':
      return [...selectors, { text: 'not', detail: 'negates what follows' }];
    case 'selector':
      return selectors;
    case 'operator':
      return fields.some(({ selector }) => selector === field)
        ? operators
        : [
            { text: 'in', detail: 'the value is in this field' },
            { text: 'not in', detail: 'the value is not in this field' },
            ...operators,
          ];
    case 'value': {
      const known = fields.find(({ selector }) => selector === field);
      return (known?.values ?? []).map(({ text, detail = '' }) => ({
        text: known?.isBare === true ? text : JSON.stringify(text),
        detail,
      }));
    }
    case 'join':
      return joins;
  }
}
