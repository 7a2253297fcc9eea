import type { MoveReportLine } from '@gatehouse/api-types/console/moves';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvField, csvHead, csvLine, reportFile } from './report-files.ts';

const line: MoveReportLine = {
  item: 'acme/base',
  item_here: 'acme/base',
  version: '1.0.0',
  provider: 'libvirt',
  architecture: 'amd64',
  state: 'failed',
  detail: 'The checksum differs: "a", not "b".',
  size: 1024,
  checksum: '',
  checksum_type: '',
  sha256: '',
  url_here: '',
  time: '2026-11-23T14:00:00Z',
};

test.each([
  ['acme', 'acme'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("https://x")', `"'=HYPERLINK(""https://x"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  [-1, '-1'],
  [null, ''],
])('writes %j as %j', (value, written) => {
  expect(csvField(value)).toBe(written);
});

test('writes every text to CSV so that it reads back, and none as a formula', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const field = csvField(text);
      const read = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
      expect(read.replace(/^'(?=\s*[=+\-@＝＋－＠\t\r])/u, '')).toBe(
        text.replace(/^'(?=\s*[=+\-@＝＋－＠\t\r])/u, ''),
      );
      expect(read.trimStart()).not.toMatch(/^[=+\-@]/);
    }),
  );
});

test('writes a line for each piece in CSV, and a list in JSON', async () => {
  const lines = async function* () {
    yield await Promise.resolve(line);
    yield { ...line, version: '2.0.0' };
  };
  expect(await (await reportFile(lines(), 'csv')).text()).toBe(
    csvHead + csvLine(line) + csvLine({ ...line, version: '2.0.0' }),
  );
  expect(csvLine(line).split(',')).toHaveLength(csvHead.split(',').length + 1);
  expect(JSON.parse(await (await reportFile(lines(), 'json')).text())).toEqual([
    line,
    { ...line, version: '2.0.0' },
  ]);
  const none = (async function* (): AsyncGenerator<MoveReportLine> {
    for (const nothing of []) yield await Promise.resolve(nothing);
  })();
  expect(JSON.parse(await (await reportFile(none, 'json')).text())).toEqual([]);
});
