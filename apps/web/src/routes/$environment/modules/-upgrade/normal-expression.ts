/** Expressions as they are compared: however they are laid out, the same one is the same text. */

/**
 * Texts in quotes, and heredocs, whose blanks mean something. One without its end goes to the end of all: looking for it
 * from every place again would take the square of the time.
 */
const verbatim = /("(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|<<-?(\w+)\n[\s\S]*?(?:\n[ \t]*\2(?=\s|$)|$))/g;

/** An expression without what only lays it out: blanks, line breaks, comments and commas at the end. */
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
      // Members of an object are on lines of their own, or behind commas.
      .replaceAll(/[\s,]+/g, (gap) => (/[,\n]/.test(gap) ? ',' : ' '))
      .replaceAll(/ ?([()[\]{}=:?]) ?/g, '$1')
      .replaceAll(/^ | $/g, '')
  );
}

/** A type as it is compared: none is any, and those that old modules have in quotes are what they stand for. */
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
