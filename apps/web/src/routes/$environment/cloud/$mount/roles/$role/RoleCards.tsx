import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { cloudCredentialTypes } from '@gatehouse/api-types/console/cloud-values';
import { Card } from '@gatehouse/ui/card';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { isTemporary, typeDescriptions, typeInWords } from '#lib/cloud-types.ts';
import { OtherFields } from '#routes/$environment/cloud/-roles/OtherFields.tsx';
import { fieldLabels, hasUseFor, type RoleField } from '#routes/$environment/cloud/-roles/role-fields.ts';
import { TtlLadder } from '#routes/$environment/cloud/TtlLadder.tsx';

/** A role's fields, lifetimes, and further fields from the server. */
export function RoleCards({ role }: { role: CloudRole }) {
  const { credential_type: given, default_sts_ttl: defaultTtl, max_sts_ttl: maxTtl } = role;
  const type = cloudCredentialTypes.find((known) => known === given);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DetailCard title="Role" items={itemsOf(role)} />
      {type !== undefined && (
        <Card title="Lifetime">
          <TtlLadder type={type} defaultTtl={defaultTtl} maxTtl={maxTtl} />
        </Card>
      )}
      <OtherFields other={role.other} />
    </div>
  );
}

function itemsOf(role: CloudRole): readonly KeyValue[] {
  const type = cloudCredentialTypes.find((known) => known === role.credential_type) ?? '';
  const lines = (values: readonly string[]) =>
    values.length === 0 ? undefined : (
      <span className="flex flex-col">
        {values.map((value) => (
          <span key={value}>{value}</span>
        ))}
      </span>
    );
  const pairs = (tags: Readonly<Record<string, string>>) =>
    lines(Object.entries(tags).map(([key, value]) => `${key}=${value}`));
  const own: readonly (readonly [RoleField, KeyValue['value']])[] = [
    ['role_arns', lines(role.role_arns)],
    ['external_id', role.external_id],
    ['policy_arns', lines(role.policy_arns)],
    ['iam_groups', lines(role.iam_groups)],
    ['session_tags', pairs(role.session_tags)],
    ['iam_tags', pairs(role.iam_tags)],
    ['user_path', role.user_path],
    ['permissions_boundary_arn', role.permissions_boundary_arn],
  ];
  return [
    { label: 'Credential type', value: typeInWords(role.credential_type) },
    ...(type === '' ? [] : [{ label: 'Description', value: typeDescriptions[type] }]),
    // A legacy role may have fields that no type has.
    ...own
      .filter(([field, value]) =>
        type === '' ? value !== undefined && value !== '' : hasUseFor(type, field),
      )
      .map(([field, value]) => ({ label: fieldLabels[field], value, isMono: true })),
    ...(isTemporary(role.credential_type) ? [] : [{ label: 'Lifetime', value: 'As long as its lease' }]),
    {
      label: 'Path',
      value: `${role.mount}/creds/${role.name}`,
      isMono: true,
      copyText: `${role.mount}/creds/${role.name}`,
    },
  ];
}
