import { expect, test } from 'vitest';
import { lintPolicy } from './lint.ts';
import { firstBlank, statementTemplates, withStatements } from './templates.ts';

test.each(statementTemplates)('$label makes a sound document that says what to replace', ({ statements }) => {
  const text = withStatements('', statements) ?? '';
  expect(lintPolicy(text)).toEqual([]);
  expect(text.slice(firstBlank(text))).toMatch(/^[A-Z]+[/:"]/);
});

test('statements are added at the end, each with a Sid of its own', () => {
  const [{ statements } = { statements: [] }] = statementTemplates;
  const once = withStatements('{"Id": "x", "Statement": {"Sid": "A"}}', statements) ?? '';
  const twice: unknown = JSON.parse(withStatements(once, statements) ?? '');
  expect(twice).toMatchObject({
    Id: 'x',
    Statement: [{ Sid: 'A' }, { Sid: 'ReadBucket' }, { Sid: 'ReadBucket2' }],
  });
  expect(withStatements('{', statements)).toBeUndefined();
});
