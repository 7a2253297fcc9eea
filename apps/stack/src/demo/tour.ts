/** A stop of the demo's tour, as the Overview shows it. */
interface Stop {
  readonly title: string;
  readonly detail: string;
  readonly href: string;
  readonly action: string;
}

/**
 * What production shows in three minutes: a merge, a missing target, the check of a value, and what an upgrade breaks.
 * @param target the ID of the database
 * @param name its name
 */
export function tourOf(target: string, name: string): readonly Stop[] {
  const filter = encodeURIComponent('"/item/name" contains "redis" or "/item/address" contains "redis"');
  return [
    {
      title: 'Merge two edits',
      detail: `Edit the target ${name} in two tabs, change the same field, and save both. Neither edit is lost.`,
      href: `/production/targets/${target}/edit`,
      action: 'Edit the target',
    },
    {
      title: 'Find out why a target is missing',
      detail: `The filter hides ${name}. Each of its clauses is shown with the value that it was compared with.`,
      href: `/production/targets?filter=${filter}&why=${target}`,
      action: 'See why',
    },
    {
      title: 'Check a value without showing it',
      detail:
        'Paste any value under Check a value of the secret orders-db. The answer says which fields and versions have it.',
      href: '/production/secrets/secret/secret/commerce/checkout/orders-db',
      action: 'Check a value',
    },
    {
      title: 'See what an upgrade breaks',
      detail: 'What version 4.0.0 of the module eks removes and requires, compared with 3.0.0.',
      href: '/production/modules/platform/eks/aws?version=4.0.0&compare=3.0.0',
      action: 'Compare versions',
    },
  ];
}
