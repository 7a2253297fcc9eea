const words: Readonly<Record<string, string>> = {
  'primary/enable': 'Enable as primary',
  'primary/demote': 'Demote',
  'primary/disable': 'Disable replication',
  'primary/secondary-token': 'Create an activation token',
  'primary/revoke-secondary': 'Revoke a secondary',
  'secondary/enable': 'Enable as secondary',
  'secondary/promote': 'Promote',
  'secondary/disable': 'Disable replication',
  'secondary/update-primary': 'Change primary',
};

/** The label of a server's operation. */
export function operationWords(operation: string): string {
  return words[operation] ?? 'Other change';
}
