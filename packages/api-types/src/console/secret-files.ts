/** Secrets as files: one JSON object of paths, or dotenv lines. Read and written in the page; no value is logged. */
import {
  checkObjectText,
  entriesOf,
  JsonTextError,
  kindOf,
  lastByKey,
  objectText,
  stringOf,
} from './json-text.ts';

/** A secret in a file: its path below the folder or mount, and its data as the text of a JSON object. */
export interface FileEntry {
  readonly path: string;
  readonly data: string;
}

/** A file cannot be read. `line` is where, from 1. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** A JSON file: an object whose keys are paths and whose values are the data of each secret, as it is stored. */
export function jsonFileOf(entries: readonly FileEntry[]): string {
  return `${objectText(
    entries.map(({ path, data }) => ({ key: path, text: data })),
    true,
  )}\n`;
}

/**
 * Reads what {@link jsonFileOf} writes.
 * @throws SecretFileError when it is not such a file
 */
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

/** A name that every reader of dotenv files takes. */
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The fields of one secret as dotenv lines, in their order. Values that are no texts are written as JSON.
 * @returns the lines, and the keys that no such file can hold
 * @throws JsonTextError when `data` is not the text of an object
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

/** Bare where nothing can be misread; single quotes keep everything but themselves, line breaks too. */
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
 * Reads dotenv lines as the fields of one secret: comments, `export`, and quotes (single, double, backticks) over several
 * lines. No variable is put in. Of a name that occurs twice the last counts.
 * @returns the JSON text of an object of texts
 * @throws SecretFileError when a line is none of these
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
