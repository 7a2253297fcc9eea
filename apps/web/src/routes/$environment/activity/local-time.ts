/** An instant as text for a local date and time field, to the minute; '' for none. */
export function toLocalField(instant: string | undefined): string {
  if (instant === undefined) return '';
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The field's text as RFC 3339 in UTC; undefined if incomplete. */
export function fromLocalField(text: string): string | undefined {
  if (!/^\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
