/** Writes names, strings and expressions of HCL blocks. */

/**
 * Whether a name is a valid argument name. The declaring module may be malicious: another name could add its author's
 * code to the block.
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

/** A quoted string without templates. */
export function quoted(text: string): string {
  const inner = text.replaceAll(/[$%]+\{|["\\\p{Cc}\u2028\u2029]/gu, (found) => {
    if (!found.endsWith('{')) return short[found] ?? numbered(found);
    const sign = found.charAt(found.length - 2);
    // A template's start is doubled. After another `$` or `%` that would be ambiguous, so the sign is escaped.
    return found.length === 2 ? sign + found : `${found.slice(0, -2)}${numbered(sign)}{`;
  });
  return `"${inner}"`;
}

function numbered(sign: string): string {
  return String.raw`\u` + sign.charCodeAt(0).toString(16).padStart(4, '0');
}

/** A string as an argument's value: a heredoc for several lines if that is equivalent, otherwise quoted. */
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
  // A heredoc includes the line break before its end marker.
  return ends ? `<<${mark}\n${body}\n${mark}` : `chomp(<<${mark}\n${body}\n${mark}\n  )`;
}
