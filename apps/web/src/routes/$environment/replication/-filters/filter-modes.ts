/** The modes of a filter, in words. */
export const filterModes = [
  { value: 'all', label: 'Everything', description: 'Required to become the primary without losing data' },
  { value: 'deny', label: 'All but these', description: 'New mounts are replicated too' },
  { value: 'allow', label: 'Only these', description: "New mounts aren't replicated" },
] as const;

export function isFilterMode(mode: string): mode is (typeof filterModes)[number]['value'] {
  return filterModes.some(({ value }) => value === mode);
}
