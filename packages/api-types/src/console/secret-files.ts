/** Secrets as files: a JSON object of paths, or dotenv lines. Read and written in the page; values are never logged. */
import {
  checkObjectText,
  entriesOf,
  JsonTextError,
  kindOf,
  lastByKey,
  objectText,
  stringOf,
} from './json-text.ts';

/** A secret in a file: its path relative to the folder or mount, and its data as a JSON object's text. */
export interface FileEntry {
  readonly path: string;
  readonly data: string;
}

/** A file can't be read. `line` is the position, from 1. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Writes a JSON file: an object with paths as keys and each secret's stored data as values. */
export function jsonFileOf(entries: readonly FileEntry[]): string {
  return `${objectText(
    entries.map(({ path, data }) => ({ key: path, text: data })),
    true,
  )}\n`;
}

/** Reads the output of {@link jsonFileOf}. @throws SecretFileError for any other file */
export function readJsonFile(text: string): readonly FileEntry[] {
  try {
    return [...lastByKey(entriesOf(text.replace(/^\uFEFF/, '')))].map(([path, data]) => {
      if (kindOf(data) !== 'object') {
        throw new SecretFileError(
          `"${path}" is not an object. A file has paths as keys, and the fields of each secret as an object.`,
        );
      }
      checkObjectText(data);
      return { path, data };
    });
  } catch (error) {
    if (error instanceof JsonTextError) throw new SecretFileError(error.message, error.line);
    throw error;
  }
}

/** A name that all readers of dotenv files accept. */
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * One secret's fields as dotenv lines, in order. Values other than text are written as JSON.
 * @returns the lines, and the keys that a dotenv file can't hold
 * @throws JsonTextError if `data` is not a JSON object
 */
export function dotenvOf(data: string): { readonly text: string; readonly left: readonly string[] } {
  const left: string[] = [];
  const lines: string[] = [];
  for (const [key, value] of lastByKey(entriesOf(data))) {
    if (plainName.test(key)) lines.push(`${key}=${quoted(stringOf(value) ?? value)}\n`);
    else left.push(key);
  }
  return { text: lines.join(''), left };
}

/** Unquoted if unambiguous. Single quotes preserve everything except single quotes, including line breaks. */
function quoted(value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=-]*$/.test(value)) return value;
  if (!/['\r]/.test(value)) return `'${value}'`;
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('$', String.raw`\$`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
  return `"${escaped}"`;
}

/**
 * Reads dotenv lines as one secret's fields: comments, `export`, and quotes (single, double, backticks) across lines.
 * Variables are not substituted. The last of duplicate names counts.
 * @returns the JSON text of an object of strings
 * @throws SecretFileError for any other line
 */
export function readDotenv(text: string): string {
  const fields = new Map<string, string>();
  const source = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd();
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const empty = /^[ \t]*(?:#[^\n]*)?(?:\n|$)/.exec(rest);
    if (empty !== null && empty[0] !== '') {
      at += empty[0].length;
      continue;
    }
    const assignment =
      /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=([ \t]*)(?![ \t])(?:(?:'([^']*)'|`([^`]*)`|"([^"\\]*(?:\\[^][^"\\]*){0,500000})")[ \t]*(?:#[^\n]*)?|([^\n'"`][^\n]*|))(?:\n|$)/.exec(
        rest,
      );
    if (assignment === null) {
      throw new SecretFileError(
        "This line isn't NAME=value, a quote in it isn't closed, or it has more than 500,000 backslashes.",
        source.slice(0, at).split('\n').length,
      );
    }
    const [whole, name = '', blanks = '', single, backticks, double, bare = ''] = assignment;
    const verbatim = single ?? backticks;
    fields.set(name, verbatim ?? (double === undefined ? bareValue(blanks + bare) : unescaped(double)));
    at += whole.length;
  }
  return objectText([...fields].map(([key, value]) => ({ key, text: JSON.stringify(value) })));
}

function bareValue(value: string): string {
  return value.replace(/[ \t]#[^]*$/, '').trim();
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(value: string): string {
  return value.replaceAll(/\\([^])/g, (all, character: string) =>
    /["\\$nrt]/.test(character) ? (escapes[character] ?? character) : all,
  );
}
