/** JSON that is passed on as it was written: numbers beyond 2^53, order and repeated keys stay. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value, as `JSON.parse` reads it. */
  toJSON(): unknown {
    const value: unknown = JSON.parse(this.text);
    return value;
  }
}

/** JSON text of a value that may be `JsonText`, or have such members at its top. */
export function jsonOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${jsonOf(member)}`);
  }
  return `{${members.join(',')}}`;
}
