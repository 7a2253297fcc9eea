/** The report of a move as files that other programs read. */
import type { MoveReportLine } from '@gatehouse/api-types/console/moves';

const columns = [
  'item',
  'item_here',
  'version',
  'provider',
  'architecture',
  'state',
  'detail',
  'size',
  'checksum_type',
  'checksum',
  'sha256',
  'url_here',
  'time',
] as const satisfies readonly (keyof MoveReportLine)[];

/**
 * A value in CSV (RFC 4180). A text that a spreadsheet would calculate begins with an apostrophe: names and descriptions come
 * from another registry.
 */
export function csvField(value: string | number | null): string {
  if (value === null) return '';
  const text =
    typeof value === 'number' ? String(value) : value.replace(/^(?=[\s]*[=+\-@＝＋－＠\t\r])/u, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvHead = `${columns.join(',')}\r\n`;

export function csvLine(line: MoveReportLine): string {
  return `${columns.map((column) => csvField(line[column])).join(',')}\r\n`;
}

export type ReportForm = 'csv' | 'json';

const types = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const;

/** Puts the lines of a report into a file. @throws what reading the lines throws */
export async function reportFile(lines: AsyncIterable<MoveReportLine>, form: ReportForm): Promise<Blob> {
  const parts: string[] = [form === 'csv' ? csvHead : '['];
  let isFirst = true;
  for await (const line of lines) {
    parts.push(form === 'csv' ? csvLine(line) : `${isFirst ? '' : ','}\n${JSON.stringify(line)}`);
    isFirst = false;
  }
  if (form === 'json') parts.push('\n]\n');
  return new Blob(parts, { type: types[form] });
}
