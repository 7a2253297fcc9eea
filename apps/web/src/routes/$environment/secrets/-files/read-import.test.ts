import { describe, expect, test } from 'vitest';
import { countFields, kindOfImport, readImportText } from './read-import.ts';

const read = (text: string, folder = '', name = 'one') =>
  readImportText(text, kindOfImport(text), folder, name);

describe('text to import', () => {
  test('is detected as JSON or dotenv', () => {
    expect(kindOfImport('{"app/db":{"a":1}}')).toEqual({ format: 'json', shape: 'several' });
    expect(kindOfImport('\uFEFF {"a":1,"b":{}}')).toEqual({ format: 'json', shape: 'one' });
    expect(kindOfImport('# comment\nA=1')).toEqual({ format: 'dotenv', shape: 'one' });
    expect(kindOfImport('{"broken')).toEqual({ format: 'json', shape: 'several' });
  });

  test('keeps every value as written, below the folder', () => {
    expect(read('{"db":{"n":12345678901234567890,"t":"a\\nb"},"x/y":{"k":"v"}}', 'team/app')).toEqual([
      { path: 'team/app/db', data: '{"n":12345678901234567890,"t":"a\\nb"}' },
      { path: 'team/app/x/y', data: '{"k":"v"}' },
    ]);
    const [secret] = read('A="line 1\nline 2"\nB=\'it $B\'\n', 'app', 'env');
    expect(secret?.path).toBe('app/env');
    expect(JSON.parse(secret?.data ?? '')).toEqual({ A: 'line 1\nline 2', B: 'it $B' });
    expect(countFields(read('{"a":{"x":1,"y":2},"b":{"z":3}}'))).toBe(3);
  });

  test('reports errors with their position', () => {
    expect(() => read('{"a":{"x":1},\n"b":')).toThrow(/line 2/);
    expect(() => read('A=1\nnot a line\n')).toThrow(expect.objectContaining({ line: 2 }));
    expect(() => read('{"a//b":{"x":1}}')).toThrow(/a\/\/b/);
    expect(() => read('{"../b":{"x":1}}', 'app')).toThrow(/as a name/);
    expect(() => read('A=1', 'app', '')).toThrow(/Enter a secret name/);
    expect(() => read('{"a":{}}')).toThrow(/no fields/);
    expect(() => read('')).toThrow(/no fields/);
  });
});
