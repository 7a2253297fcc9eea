import { CloudFault } from './fault.ts';

/** Parameters of a call. */
export type Parameters = ReturnType<typeof parametersOf>;

/** Parses the parameters of a form. */
export function parametersOf(form: URLSearchParams) {
  const text = (name: string): string => form.get(name) ?? '';
  const list = (name: string, member?: string): string[] => {
    const items: string[] = [];
    for (let n = 1; ; n += 1) {
      const item = form.get(`${name}.member.${n}${member === undefined ? '' : `.${member}`}`);
      if (item === null) return items;
      items.push(item);
    }
  };
  return {
    /** Empty if missing. */
    text,
    /** A list of texts: `PolicyArns.member.1.arn` for `PolicyArns` and `arn`. */
    list,
    /** @throws CloudFault when it is missing */
    required(name: string): string {
      const value = text(name);
      if (value === '') throw new CloudFault(400, 'ValidationError', `${name} is missing`);
      return value;
    },
    /** A list of pairs: `Tags.member.1.Key`, `Tags.member.1.Value`. */
    pairs(name: string): Record<string, string> {
      const values = list(name, 'Value');
      return Object.fromEntries(list(name, 'Key').map((key, index) => [key, values[index] ?? '']));
    },
  };
}
