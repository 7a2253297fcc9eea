/** Normalizes expressions for comparison: formatting doesn't change the result. */

/**
 * Quoted strings and heredocs, whose whitespace matters. An unterminated one extends to the end, because searching for
 * its end from every position would take quadratic time.
 */
const verbatim = /("(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|<<-?(\w+)\n[\s\S]*?(?:\n[ \t]*\2(?=\s|$)|$))/g;

/** An expression without formatting: extra whitespace, line breaks, comments and trailing commas. */
export function normalExpression(text: string): string {
  let plain = '';
  let end = 0;
  for (const found of text.matchAll(verbatim)) {
    plain += laidOut(text.slice(end, found.index)) + found[0];
    end = found.index + found[0].length;
  }
  plain += laidOut(text.slice(end));
  return plain
    .replaceAll(/,(?=[)\]}])/g, '')
    .replaceAll(/([[({]),/g, '$1')
    .replace(/^,|,$/g, '');
}

function laidOut(text: string): string {
  return (
    text
      .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|(?:#|\/\/)[^\n]*/g, ' ')
      // Object members are separated by line breaks or commas.
      .replaceAll(/[\s,]+/g, (gap) => (/[,\n]/.test(gap) ? ',' : ' '))
      .replaceAll(/ ?([()[\]{}=:?]) ?/g, '$1')
      .replaceAll(/^ | $/g, '')
  );
}

/** A normalized type: a missing one is `any`, and the quoted types of old modules are replaced. */
export function normalType(text: string): string {
  const type = normalExpression(text);
  const old: Readonly<Record<string, string>> = {
    '': 'any',
    '"string"': 'string',
    '"list"': 'list(any)',
    '"map"': 'map(any)',
    list: 'list(any)',
    map: 'map(any)',
    set: 'set(any)',
  };
  return old[type] ?? type;
}
