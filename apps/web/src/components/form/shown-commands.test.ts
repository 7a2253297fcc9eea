import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Nobody's names: words of the console and of the contracts, and numbers. */
const fixed =
  /^(?:base|mode|verb|type|target\.type|cas|isPatch|names\.\w+|collection|action|command|flags|data)\b/;

test('what a shown command names is quoted for the shell, whoever chose its name', () => {
  const bare: string[] = [];
  for (const file of globSync('apps/web/src/**/*.{ts,tsx}', { exclude: ['**/*.test.*'] })) {
    const text = readFileSync(file, 'utf8');
    for (const [, command = ''] of text.matchAll(/`((?:boundary|vagrant|vault) [^`]*)/g))
      for (const [, named = ''] of command.matchAll(/\$\{([^}]*)/g))
        if (!/^(?:argument|shellWord)\(/.test(named) && !fixed.test(named)) bare.push(`${file}: ${named}`);
  }
  expect(bare).toEqual([]);
});
