/** Names, texts and expressions as they are written in a block. */

/**
 * Whether a name can be that of an argument. What declares it need not be a module that works: any other would be code of
 * its author's in the block.
 */
export function isArgumentName(name: string): boolean {
  return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name);
}

const short: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
};

/** A text in quotes, in which nothing is a template. */
export function quoted(text: string): string {
  const inner = text.replaceAll(/[$%]+\{|["\\\p{Cc}\u2028\u2029]/gu, (found) => {
    if (!found.endsWith('{')) return short[found] ?? numbered(found);
    const sign = found.charAt(found.length - 2);
    // What begins a template is doubled; behind another sign that would be read in two ways.
    return found.length === 2 ? sign + found : `${found.slice(0, -2)}${numbered(sign)}{`;
  });
  return `"${inner}"`;
}

function numbered(sign: string): string {
  return String.raw`\u` + sign.charCodeAt(0).toString(16).padStart(4, '0');
}

/**
 * A text as the value of an argument: of several lines as a heredoc, where that says exactly the same; else in quotes.
 */
export function textValue(text: string): string {
  const isExact =
    text.includes('\n') && !/[\p{Cc}]/u.test(text.replaceAll(/[\n\t]/g, '')) && !/[$%]{2}\{/.test(text);
  if (!isExact) return quoted(text);
  const ends = text.endsWith('\n');
  const lines = (ends ? text.slice(0, -1) : text).split('\n');
  const taken = new Set(lines.map((line) => line.trim()));
  let mark = 'EOT';
  for (let number = 2; taken.has(mark); number += 1) mark = `EOT${number}`;
  const body = lines
    .map((line) => line.replaceAll(/[$%]\{/g, (start) => `${start.charAt(0)}${start}`))
    .join('\n');
  // The line break before the mark is a part of a heredoc.
  return ends ? `<<${mark}\n${body}\n${mark}` : `chomp(<<${mark}\n${body}\n${mark}\n  )`;
}
