/** Reads pasted text or a file: several secrets by path, or one secret's fields. */
import { entriesOf, JsonTextError, kindOf, lastByKey } from '@gatehouse/api-types/console/json-text';
import { pathProblem } from '@gatehouse/api-types/console/path-problem';
import {
  readDotenv,
  readJsonFile,
  SecretFileError,
  type FileEntry,
} from '@gatehouse/api-types/console/secret-files';
import { transferLimit } from '@gatehouse/api-types/console/secret-transfers';

/** `json`: an object; `dotenv`: `NAME=value` lines with one secret's fields. */
export type ImportFormat = 'json' | 'dotenv';
/** Whether an object's keys are paths of secrets, or one secret's fields. */
export type ImportShape = 'several' | 'one';

export interface ImportKind {
  readonly format: ImportFormat;
  readonly shape: ImportShape;
}

/** Guesses the format: an object with only objects as values contains several secrets. */
export function kindOfImport(text: string): ImportKind {
  if (
    !text
      .replace(/^\uFEFF/, '')
      .trimStart()
      .startsWith('{')
  )
    return { format: 'dotenv', shape: 'one' };
  try {
    const members = entriesOf(text.replace(/^\uFEFF/, ''));
    const areObjects = members.length > 0 && members.every(({ text: value }) => kindOf(value) === 'object');
    return { format: 'json', shape: areObjects ? 'several' : 'one' };
  } catch {
    // Reading it reports where the mistake is.
    return { format: 'json', shape: 'several' };
  }
}

/**
 * The secrets in a text, with their paths below the mount.
 * @param folder the folder to import into; empty for the mount itself
 * @param name of the only secret, below the folder
 * @throws SecretFileError if the text can't be read, or a path is invalid
 */
export function readImportText(
  text: string,
  { format, shape }: ImportKind,
  folder: string,
  name: string,
): readonly FileEntry[] {
  const entries =
    shape === 'several' && format === 'json'
      ? readJsonFile(text)
      : [{ path: name, data: format === 'dotenv' ? readDotenv(text) : objectOf(text) }];
  if (entries.length === 0) throw new SecretFileError('The file contains no secrets.');
  if (entries.length > transferLimit) {
    throw new SecretFileError(
      `The file contains ${entries.length.toLocaleString('en')} secrets. You can import up to ${transferLimit.toLocaleString('en')} at a time.`,
    );
  }
  const placed = entries.map(({ path, data }) => {
    const whole = folder === '' ? path : `${folder}/${path}`;
    if (path === '')
      throw new SecretFileError(shape === 'one' ? 'Enter a secret name.' : 'A secret has an empty path.');
    const problem = pathProblem(whole);
    if (problem !== undefined) throw new SecretFileError(`"${path}": ${problem}`);
    return { path: whole, data };
  });
  const empty = placed.find(({ data }) => lastByKey(entriesOf(data)).size === 0);
  if (empty !== undefined) throw new SecretFileError(`"${empty.path}" has no fields.`);
  return placed;
}

/** A JSON object's text without what surrounds it. @throws SecretFileError */
export function objectOf(text: string): string {
  const bare = text.replace(/^\uFEFF/, '').trim();
  try {
    entriesOf(bare);
  } catch (error) {
    if (error instanceof JsonTextError) throw new SecretFileError(error.message, error.line);
    throw error;
  }
  return bare;
}

/** The number of fields in all secrets. */
export function countFields(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { data }) => sum + lastByKey(entriesOf(data)).size, 0);
}
