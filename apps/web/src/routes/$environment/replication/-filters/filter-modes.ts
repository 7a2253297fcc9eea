/** What a filter may be, in words. */
export const filterModes = [
  { value: 'all', label: 'Everything', description: 'Only such a secondary can take over without loss' },
  { value: 'deny', label: 'All but these', description: 'What is mounted later is replicated too' },
  { value: 'allow', label: 'Only these', description: 'What is mounted later is not replicated' },
] as const;

export function isFilterMode(mode: string): mode is (typeof filterModes)[number]['value'] {
  return filterModes.some(({ value }) => value === mode);
}
