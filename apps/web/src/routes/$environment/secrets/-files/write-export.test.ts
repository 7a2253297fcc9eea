import { expect, test } from 'vitest';
import { kindOfImport, readImportText } from './read-import.ts';
import { exportFile, repeatedNames } from './write-export.ts';

const entries = [
  { path: 'team/app/db', data: '{"user":"app","n":12345678901234567890}' },
  { path: 'team/app/mail', data: '{"user":"mail","a.b":"left","pem":"one\\ntwo"}' },
];

test('a JSON file has paths relative to its folder, and imports unchanged', () => {
  const file = exportFile(entries, 'json', 'secret/team/app', 'team/app');
  expect(file.name).toBe('secret-team-app.json');
  expect(readImportText(file.text, kindOfImport(file.text), 'team/app', '')).toEqual(entries);
});

test("a dotenv file names each secret, and lists fields it can't store", () => {
  const file = exportFile(entries, 'dotenv', 'secret/team/app', 'team/app');
  expect(file.text).toBe("# db\nuser=app\nn=12345678901234567890\n\n# mail\nuser=mail\npem='one\ntwo'\n");
  expect(file.left).toEqual(['mail: a.b']);
  expect(repeatedNames(entries)).toEqual(['user']);
});

test('a file of one secret has no headings, and any title gives a file name', () => {
  const file = exportFile(entries.slice(0, 1), 'dotenv', 'secret/../ü x"y', '');
  expect(file).toMatchObject({ name: 'secret-..-ü-x-y.env', text: 'user=app\nn=12345678901234567890\n' });
  expect(exportFile([], 'json', '///', '').name).toBe('secrets.json');
});
