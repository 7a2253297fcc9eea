/** Whether a value says no more than a field that is left out: null, an empty text, an empty list or map. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
