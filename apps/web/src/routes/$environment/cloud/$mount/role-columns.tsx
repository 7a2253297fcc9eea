import type { CloudRoleSummary } from '@gatehouse/api-types/console/cloud-roles';
import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { isTemporary, typeInWords } from '#lib/cloud-types.ts';
import { counted } from '#lib/counted.ts';
import { durationInWords } from '#lib/duration.ts';

/** The last segment of an ARN: `deploy` for `arn:aws:iam::123456789012:role/deploy`. */
function nameOfArn(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}

/** What a role grants: a single item by name, several as a count. */
export function grantsInWords(role: CloudRoleSummary): string {
  const say = (names: readonly string[] | null, noun: string, many?: string): string | undefined => {
    const [only, ...others] = names ?? [];
    if (only === undefined) return undefined;
    return others.length === 0 ? `${noun} ${nameOfArn(only)}` : counted(others.length + 1, noun, many);
  };
  return [
    say(role.role_arns, 'role'),
    say(role.policy_arns, 'policy', 'policies'),
    role.has_policy_document === true ? 'policy document' : undefined,
    say(role.iam_groups, 'group'),
  ]
    .filter((part) => part !== undefined)
    .join(', ')
    .replace(/^./, (letter) => letter.toUpperCase());
}

/** The lifetime of a role's credentials; empty if the type can't be read. */
export function timesInWords(role: CloudRoleSummary): string {
  const { credential_type: type, default_sts_ttl: usual, max_sts_ttl: most } = role;
  if (type === null) return '';
  if (!isTemporary(type)) return 'As long as its lease';
  const parts = [
    usual !== null && usual > 0 && durationInWords(usual),
    most !== null && most > 0 && `at most ${durationInWords(most)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '1 hour unless requested otherwise' : parts.join(', ');
}

/** What a role issues and for how long, on one line. */
export function narrowWords(role: CloudRoleSummary): string {
  const { credential_type: type, max_sts_ttl: most } = role;
  if (type === null) return 'Not readable';
  if (!isTemporary(type)) return typeInWords(type);
  return `${typeInWords(type)} · ${most !== null && most > 0 ? `at most ${durationInWords(most)}` : timesInWords(role)}`;
}

export const roleColumns: readonly GridColumn<CloudRoleSummary>[] = [
  {
    id: 'name',
    header: 'Role',
    value: ({ name }) => name,
    below: narrowWords,
    width: 240,
    isRowHeader: true,
  },
  {
    id: 'type',
    header: 'Credential type',
    value: ({ credential_type: type }) => (type === null ? 'Not readable' : typeInWords(type)),
    cell: ({ credential_type: type }) =>
      type === null ? <span className="text-ink-3">Not readable</span> : <Badge>{typeInWords(type)}</Badge>,
    width: 240,
  },
  { id: 'grants', header: 'Grants', value: grantsInWords, width: 320 },
  { id: 'ttl', header: 'Lifetime', value: timesInWords, width: 240 },
];
