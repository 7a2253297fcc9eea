/**
 * A JSON text with a member or an item a line. Nothing but the space between the parts is changed: numbers, escapes, the
 * order of keys and keys that occur twice stay as they were written. A text that is not JSON comes out as some text.
 */
export function indentJson(text: string): string {
  let indented = '';
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    switch (part) {
      case '{':
      case '[':
        depth += 1;
        indented += part + line();
        break;
      case '}':
      case ']':
        depth = Math.max(0, depth - 1);
        // Of what is empty the two brackets stand together.
        indented = /[[{]\s*$/.test(indented) ? indented.trimEnd() + part : indented + line() + part;
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
