import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import { mappings } from './library.ts';
import type { LibraryCredentialType, MappedAttribute } from './library.ts';

/** A JSON object from a secrets server. */
export type Answered = Readonly<Record<string, unknown>>;

/** A credential, or the attributes that the answer lacks. */
export type Mapped =
  | { readonly credential: Readonly<Partial<Record<MappedAttribute, string>>> }
  | { readonly missing: readonly string[] };

/** The only attribute that a credential may lack. */
const optional: MappedAttribute = 'private_key_passphrase';

/**
 * Maps an answer to a credential of a type. Finds attributes by their own names, or by the names that override them,
 * in the answer itself, or in `data` if a versioned key-value engine answered. A name that begins with a slash is a
 * JSON pointer (RFC 6901) into the whole answer. Numbers and booleans become text.
 */
export function mapCredential(
  type: LibraryCredentialType,
  overrides: Readonly<Record<string, string>>,
  answer: Answered,
): Mapped {
  const credential: Partial<Record<MappedAttribute, string>> = {};
  const missing: string[] = [];
  for (const [field, attribute] of Object.entries(mappings[type])) {
    const place = overrides[field] ?? attribute;
    const value = textOf(find(answer, place));
    if (value !== undefined) credential[attribute] = value;
    else if (attribute !== optional || overrides[field] !== undefined) missing.push(place);
  }
  return missing.length === 0 ? { credential } : { missing };
}

function find(answer: Answered, place: string): unknown {
  if (place.startsWith('/')) return pointed(answer, place);
  const own = member(answer, place);
  if (own !== undefined) return own;
  return isVersioned(answer) ? member(answer['data'], place) : undefined;
}

/** Whether an answer is from a versioned key-value engine: `data` with the secret, and `metadata` about its version. */
function isVersioned(answer: Answered): boolean {
  const names = Object.keys(answer);
  return names.length === 2 && isJsonObject(answer['data']) && isJsonObject(answer['metadata']);
}

function pointed(from: unknown, pointer: string): unknown {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => member(value, part), from);
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value === '' ? undefined : value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return JSON.isRawJSON(value) ? JSON.stringify(value) : undefined;
  }
}
