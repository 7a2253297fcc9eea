import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import { mappings } from './library.ts';
import type { LibraryCredentialType, MappedAttribute } from './library.ts';

/** A JSON object that a secrets server answered. */
export type Answered = Readonly<Record<string, unknown>>;

/** A credential, or the attributes that an answer lacks for it. */
export type Mapped =
  | { readonly credential: Readonly<Partial<Record<MappedAttribute, string>>> }
  | { readonly missing: readonly string[] };

/** The one attribute that a credential may be without. */
const optional: MappedAttribute = 'private_key_passphrase';

/**
 * The credential of a type that an answer holds. Attributes are looked for by their names, or by those that override
 * them: in the answer itself, and of a versioned key-value engine in its `data`. A name that begins with a slash is a JSON pointer
 * (RFC 6901) into the whole answer. Numbers and booleans become text.
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

/** Whether an answer is of a versioned key-value engine: the secret, and what is known of its version. */
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
