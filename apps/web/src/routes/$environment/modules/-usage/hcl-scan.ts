/** Finds the bounds of HCL expressions and arguments, by brackets, quotes and comments only. */

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Advances by one step.
 * @param open expected closing signs, innermost last; modified by the step; `"` stands for a quoted string
 * @returns the position of the next step, or an error in a sentence
 */
function advance(source: string, at: number, open: string[]): number | string {
  const inner = open.at(-1);
  const sign = source.charAt(at);
  if (inner === '"') {
    if (sign === '\\') return at + 2;
    if (/^([$%])\1\{/.test(source.slice(at, at + 3))) return at + 3;
    if (/^[$%]\{/.test(source.slice(at, at + 2))) {
      open.push('}');
      return at + 2;
    }
    if (sign === '\n') return 'A quoted string must end on the line where it begins.';
    if (sign === '"') open.pop();
    return at + 1;
  }
  if (sign === '<') {
    const [start, mark] = /^<<-?([\p{L}_][\p{L}\p{N}_-]*)\r?\n/u.exec(source.slice(at)) ?? [];
    if (start !== undefined && mark !== undefined) {
      const end = new RegExp(`^[ \\t]*${mark}[ \\t\\r]*$`, 'm').exec(source.slice(at + start.length));
      if (end === null) return `The text that begins with <<${mark} is never closed.`;
      return at + start.length + end.index + end[0].length;
    }
  }
  if (sign === '#' || source.startsWith('//', at)) {
    const end = source.indexOf('\n', at);
    return end === -1 ? source.length : end;
  }
  if (source.startsWith('/*', at)) {
    const end = source.indexOf('*/', at + 2);
    return end === -1 ? 'A comment is never closed.' : end + 2;
  }
  if (sign === '"') open.push('"');
  else if (closing[sign] !== undefined) open.push(closing[sign]);
  else if (sign === ')' || sign === ']' || sign === '}') {
    if (inner !== sign) return `"${sign}" has no opening bracket.`;
    open.pop();
  }
  return at + 1;
}

function missing(open: readonly string[]): string | undefined {
  const inner = open.at(-1);
  if (inner === undefined) return undefined;
  return inner === '"' ? 'A closing quote is missing.' : `"${inner}" is missing.`;
}

/**
 * Why an expression doesn't stay within its argument: an unclosed bracket or quote, or an early line break. Undefined
 * if it does.
 */
export function expressionProblem(text: string): string | undefined {
  const source = text.trim();
  if (source === '') return 'Enter an expression.';
  const open: string[] = [];
  for (let at = 0; at < source.length;) {
    if (open.length === 0 && source.charAt(at) === '\n') return 'Put a multi-line expression in parentheses.';
    // A heredoc needs a line break after its end marker.
    const next = advance(`${source}\n`, at, open);
    if (typeof next === 'string') return next;
    at = next;
  }
  return missing(open);
}

/** An argument in a block. `from` and `to` bound its lines, including the last line break. */
export interface ScannedArgument {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The bounds of its value, including a comment behind it. */
  readonly valueFrom: number;
  readonly valueTo: number;
}

export interface ScannedBlock {
  readonly args: readonly ScannedArgument[];
  /** The start of the closing bracket's line. */
  readonly end: number;
}

/** The arguments of the first `module` block in a text; an error in a sentence without one. */
export function scanModuleBlock(source: string): ScannedBlock | string {
  const head = /^[ \t]*module[ \t]+(?:"[^"\n]*"|[\w-]+)[ \t]*\{/m.exec(source);
  if (head === null) return 'No module block found. It begins with module "name" {.';
  const open = ['}'];
  const args: ScannedArgument[] = [];
  let argument: Omit<ScannedArgument, 'to' | 'valueTo'> | undefined;
  for (let at = head.index + head[0].length; at < source.length;) {
    if (open.length === 1 && source.charAt(at) === '\n') {
      if (argument !== undefined) args.push({ ...argument, to: at + 1, valueTo: at });
      argument = undefined;
      const [begin, name] =
        /^[ \t]*([\p{L}_][\p{L}\p{N}_-]*)[ \t]*=(?!=)[ \t]*/u.exec(source.slice(at + 1)) ?? [];
      if (begin !== undefined && name !== undefined) {
        argument = { name, from: at + 1, valueFrom: at + 1 + begin.length };
        at += 1 + begin.length;
        continue;
      }
    }
    const next = advance(source, at, open);
    if (typeof next === 'string') return next;
    if (open.length === 0) {
      if (argument !== undefined || args.length === 0)
        return 'Use several lines: one for each argument, and one for the closing bracket.';
      return { args, end: source.lastIndexOf('\n', at) + 1 };
    }
    at = next;
  }
  return missing(open) ?? 'The block is never closed.';
}
