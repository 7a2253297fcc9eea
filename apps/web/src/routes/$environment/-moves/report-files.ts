/** Writes a move's report as a file for other programs. */
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
 * A CSV value (RFC 4180). An apostrophe precedes text that a spreadsheet would evaluate, because names and descriptions
 * come from another registry.
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

/** Writes a report's lines to a file. @throws errors from reading the lines */
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
