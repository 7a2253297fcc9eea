import { objectText } from '@gatehouse/api-types/console/json-text';
import { readDotenv, SecretFileError } from '@gatehouse/api-types/console/secret-files';
import { valuesOfData, type SecretValues } from '../-fields/secret-values.ts';
import { objectOf } from './read-import.ts';

/** The longest text that is read, in UTF-16 units: YAML of this length takes about a second. */
const mostText = 1024 * 1024;

/**
 * The fields in pasted text: a JSON object, dotenv lines, or YAML, whose values are kept as text.
 * @throws SecretFileError if it is none of them, or can't be read
 */
export async function pastedFields(text: string): Promise<SecretValues> {
  const bare = bareOf(text);
  const format = formatOf(bare);
  if (text.length > mostText) throw new SecretFileError('The pasted text is too long. Import it as a file.');
  switch (format) {
    case 'json':
      return valuesOfData(objectOf(text));
    case 'dotenv':
      return valuesOfData(readDotenv(text));
    case 'yaml':
      return valuesOfData(await yamlFields(bare));
    case undefined:
      throw new SecretFileError('The pasted text is neither a JSON object nor NAME=value lines nor YAML.');
  }
}

/** Whether a pasted text is more than a field's name. */
export function mayHoldFields(text: string): boolean {
  const bare = bareOf(text);
  return bare.includes('\n') || formatOf(bare) !== undefined;
}

function bareOf(text: string): string {
  return text.replace(/^\uFEFF/, '').trim();
}

function formatOf(bare: string): 'json' | 'dotenv' | 'yaml' | undefined {
  if (bare.startsWith('{')) return 'json';
  const [first = ''] = bare.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  if (/^\s*(?:export\s+)?[\w.-]+\s*=/.test(first)) return 'dotenv';
  return first === '---' || /^[^\s:][^:]*:(?:\s|$)/.test(first) ? 'yaml' : undefined;
}

async function yamlFields(text: string): Promise<string> {
  const { isMap, parseDocument, YAMLParseError } = await import('yaml');
  // Only texts, maps and lists: a number would lose digits, and `on` would become true.
  const document = parseDocument(text, { schema: 'failsafe', merge: false });
  const [error] = document.errors;
  if (error instanceof YAMLParseError) throw new SecretFileError(error.message.split('\n', 1)[0] ?? '');
  if (!isMap(document.contents)) throw new SecretFileError('The YAML has no field names.');
  try {
    const fields: unknown = document.toJS({ mapAsMap: true, maxAliasCount: 100 });
    return jsonOf(fields);
  } catch (cause) {
    throw new SecretFileError(cause instanceof Error ? cause.message : "The YAML can't be read.");
  }
}

/** The JSON text of parsed YAML; maps keep the order of their keys. */
function jsonOf(value: unknown): string {
  if (value instanceof Map)
    return objectText([...value].map(([key, item]) => ({ key: String(key), text: jsonOf(item) })));
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  return JSON.stringify(value ?? '');
}
