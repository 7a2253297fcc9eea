/** Types nested deeper aren't compared by part. */
const deepest = 30;

/**
 * Whether an input still accepts every former value unchanged, because its type became wider, or an attribute became
 * optional or was added as optional.
 * @param after a type from `normalType`
 */
export function acceptsType(after: string, before: string, depth = 0): boolean {
  if (after === before || after === 'any') return true;
  if (depth > deepest) return false;
  if (after === 'string') return before === 'number' || before === 'bool';
  const [to, from] = [applied(after), applied(before)];
  if (to === undefined || to.name !== from?.name) return false;
  const inner = (one: string, other: string): boolean => acceptsType(one, other, depth + 1);
  if (to.name !== 'object' && to.name !== 'tuple') return inner(to.inside, from.inside);
  const [now, once] = [partsOf(to.inside), partsOf(from.inside)];
  if (to.name === 'tuple')
    return now.length === once.length && now.every((part, at) => inner(part, once[at] ?? ''));
  const [attributes, former] = [attributesOf(now), attributesOf(once)];
  const isKept = [...former].every(([name, attribute]) => {
    const there = attributes.get(name);
    if (there === undefined || (attribute.isOptional && !there.isOptional)) return false;
    return inner(there.type, attribute.type);
  });
  return isKept && [...attributes].every(([name, { isOptional }]) => isOptional || former.has(name));
}

/** The parts of a type constructor: `list(string)`, `object({…})`, `tuple([…])`. */
function applied(type: string): { readonly name: string; readonly inside: string } | undefined {
  const [, name = '', inside = ''] = /^(list|set|map|object|tuple)\((.*)\)$/s.exec(type) ?? [];
  if (name === '') return undefined;
  const isInBrackets = name === 'object' || name === 'tuple';
  return { name, inside: isInBrackets ? inside.slice(1, -1) : inside };
}

interface Attribute {
  readonly type: string;
  readonly isOptional: boolean;
}

function attributesOf(parts: readonly string[]): ReadonlyMap<string, Attribute> {
  return new Map(
    parts.map((part) => {
      const cut = part.search(/[=:]/);
      const [name, type] = [part.slice(0, cut).replaceAll('"', ''), part.slice(cut + 1)];
      const [, optional] = /^optional\((.*)\)$/s.exec(type) ?? [];
      return [
        name,
        optional === undefined
          ? { type, isOptional: false }
          : { type: partsOf(optional)[0] ?? '', isOptional: true },
      ];
    }),
  );
}

/** Splits at commas outside brackets and quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/"(?:\\[\s\S]|[^"\\])*(?:"|$)|[([{}\]),]/g)) {
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    else if (sign === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)].filter((part) => part !== '');
}
