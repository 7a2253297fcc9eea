import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Expressions that contain no user's names, but words of the console and the contracts, and numbers. */
const fixed =
  /^(?:base|mode|verb|type|target\.type|cas|isPatch|names\.\w+|collection|action|command|flags|data)\b/;

interface Template {
  /** Expressions that no function quotes, including those of nested templates. */
  readonly bare: readonly string[];
  /** Offset of the closing backtick. */
  readonly end: number;
}

/** Parses the template literal whose backtick is at `start`. */
function readTemplate(text: string, start: number): Template {
  const bare: string[] = [];
  let at = start + 1;
  for (; text[at] !== '`'; at += 1) {
    if (at >= text.length) throw new Error(`No end: ${text.slice(start, start + 80)}`);
    if (text[at] === '\\') at += 1;
    if (!text.startsWith('${', at)) continue;
    const expression = readExpression(text, at + 2);
    const named = text.slice(at + 2, expression.end);
    if (!/^(?:argument|shellWord|wordOr)\(/.test(named))
      bare.push(...(fixed.test(named) ? [] : [named]), ...expression.bare);
    at = expression.end;
  }
  return { bare, end: at };
}

/** Parses a template's expression up to its closing brace. */
function readExpression(text: string, start: number): Template {
  const bare: string[] = [];
  let at = start;
  for (let depth = 0; depth > 0 || text[at] !== '}'; at += 1) {
    const sign = text[at];
    if (sign === undefined) throw new Error(`No end: ${text.slice(start, start + 80)}`);
    if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    else if (sign === "'") at = text.indexOf(sign, at + 1);
    else if (sign === '`') {
      const inner = readTemplate(text, at);
      bare.push(...inner.bare);
      at = inner.end;
    }
  }
  return { bare, end: at };
}

test.each([
  ['`vault read ${shellWord(`${a}/b`)} ${name}`', ['name']],
  ["`vault kv put${cas === undefined ? '' : ` -cas=${name}`} ${argument('}')}`", ['name']],
  ['`vault read ${flags.map(({ id }) => id)} ${name}`', ['name']],
])('the parser finds unquoted expressions: %s', (text, bare) => {
  expect(readTemplate(text, 0)).toEqual({ bare, end: text.length - 1 });
});

test('all names in shown commands are quoted for the shell', () => {
  const bare: string[] = [];
  for (const file of globSync('apps/web/src/**/*.{ts,tsx}', { exclude: ['**/*.test.*'] })) {
    const text = readFileSync(file, 'utf8');
    for (const { index } of text.matchAll(/`(?:boundary|vagrant|vault) /g))
      bare.push(...readTemplate(text, index).bare.map((named) => `${file}: ${named}`));
  }
  expect(bare).toEqual([]);
});
