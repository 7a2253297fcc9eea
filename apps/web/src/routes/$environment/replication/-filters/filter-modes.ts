/** What a filter may be, in words. */
export const filterModes = [
  { value: 'deny', label: 'All but these', description: 'What is mounted later is replicated too' },
  { value: 'allow', label: 'Only these', description: 'What is mounted later is not replicated' },
] as const;
