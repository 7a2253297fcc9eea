import { expect, test } from 'vitest';
import { mayHoldFields, pastedFields } from './pasted-fields.ts';

test.each([
  ['{"user": "app", "port": 12345678901234567890}', { user: '"app"', port: '12345678901234567890' }],
  ['# of the app\nexport USER=app\nPASSWORD="a b"', { USER: '"app"', PASSWORD: '"a b"' }],
  ['A=1', { A: '"1"' }],
  [
    '---\nuser: app\nport: 5432\nversion: 1.10\nenabled: on\nempty:\n',
    { user: '"app"', port: '"5432"', version: '"1.10"', enabled: '"on"', empty: '""' },
  ],
  [
    'db:\n  hosts: [a, b]\n  0: "first"\nkey: |\n  line 1\n  line 2\n',
    {
      db: '{"hosts":["a","b"],"0":"first"}',
      key: '"line 1\\nline 2\\n"',
    },
  ],
])('fields are read from %j', async (text, data) => {
  expect(mayHoldFields(text)).toBe(true);
  expect(await pastedFields(text)).toEqual({ data });
});

test('a name is only text', () => {
  for (const text of ['password', 'db.password', 'a name', '']) expect(mayHoldFields(text)).toBe(false);
});

test.each([
  ['{"a": 1', /missing/],
  ['A=1\nnot a line', /line/i],
  ['a: [1', /flow|end/i],
  ['one\ntwo', /neither a JSON object/],
  ['a: &x [1]\nb: *y', /alias/i],
])('%j is refused with the reason', async (text, reason) => {
  await expect(pastedFields(text)).rejects.toThrow(reason);
});

test("YAML whose aliases multiply isn't unfolded", async () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level += 1) {
    const above = `*a${String(level - 1)}`;
    lines.push(
      `a${String(level)}: &a${String(level)} [${Array.from({ length: 10 }, () => above).join(', ')}]`,
    );
  }
  await expect(pastedFields(lines.join('\n'))).rejects.toThrow(/alias/i);
});
