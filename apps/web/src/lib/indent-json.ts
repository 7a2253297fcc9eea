/**
 * Formats a JSON text with one member or item per line. Changes only whitespace between tokens: numbers,
 * escapes, the order of keys and duplicate keys stay. For a text that isn't JSON, the result is unspecified.
 */
export function indentJson(text: string): string {
  let indented = '';
  let depth = 0;
  let isBegun = false;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    const isEnd = part === '}' || part === ']';
    if (isEnd) depth = Math.max(0, depth - 1);
    // The brackets of an empty container stay together.
    if (isBegun !== isEnd) indented += line();
    isBegun = false;
    switch (part) {
      case '{':
      case '[':
        depth += 1;
        isBegun = true;
        indented += part;
        break;
      case ',':
        indented += part + line();
        break;
      case ':':
        indented += ': ';
        break;
      default:
        indented += part;
    }
  }
  return indented;
}
