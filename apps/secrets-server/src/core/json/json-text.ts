/** JSON that is written exactly as received, including numbers beyond 2^53, the order of members and repeated names. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the value that `JSON.parse` reads. */
  toJSON(): unknown {
    const value: unknown = JSON.parse(this.text);
    return value;
  }
}

/** Converts a value to JSON, keeping the text of any `JsonText` in its objects. */
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
