import { expect, test } from 'vitest';
import { lintPolicy } from './lint.ts';
import { firstBlank, statementTemplates, withStatements } from './templates.ts';

test.each(statementTemplates)('$label is a valid document that names what to replace', ({ statements }) => {
  const text = withStatements('', statements) ?? '';
  expect(lintPolicy(text)).toEqual([]);
  expect(text.slice(firstBlank(text))).toMatch(/^[A-Z]+[/:"]/);
});

test('statements are appended, each with a unique Sid', () => {
  const [{ statements } = { statements: [] }] = statementTemplates;
  const once = withStatements('{"Id": "x", "Statement": {"Sid": "A"}}', statements) ?? '';
  const twice: unknown = JSON.parse(withStatements(once, statements) ?? '');
  expect(twice).toMatchObject({
    Id: 'x',
    Statement: [{ Sid: 'A' }, { Sid: 'ReadBucket' }, { Sid: 'ReadBucket2' }],
  });
  expect(withStatements('{', statements)).toBeUndefined();
});
