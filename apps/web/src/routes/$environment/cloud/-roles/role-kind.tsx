/** An engine's roles as records that can be viewed, edited and deleted. */
import * as at from '@gatehouse/api-types/console/addresses/cloud';
import {
  cloudRole,
  fieldsOfCloudRole,
  type CloudRole,
  type CloudRoleChanges,
  type NewCloudRole,
} from '@gatehouse/api-types/console/cloud-roles';
import { secondsOf } from '@gatehouse/api-types/console/cloud-values';
import { Banner } from '@gatehouse/ui/banner';
import { CloudRoleIcon } from '@gatehouse/ui/icon';
import type { ReactNode } from 'react';
import { codeSetUp } from '#components/form/as-code.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import type { SaveGuard } from '#components/record/SaveQuestion.tsx';
import { tell } from '#components/record/tell.ts';
import { typeInWords } from '#lib/cloud-types.ts';
import { queryClient } from '#lib/query-client.ts';
import { cloudLeaseCountQuery, cloudRolesOf } from '#queries/cloud.ts';
import { TtlLadder } from '#routes/$environment/cloud/TtlLadder.tsx';
import { reasonAgainstRole } from '../may.ts';
import { conversionEffects } from './conversion-effects.ts';
import { OtherFields } from './OtherFields.tsx';
import { roleAsCode } from './role-as-code.ts';
import { fieldLabels, lostByEdit, withoutUnused, type RoleForm } from './role-fields.ts';
import { fieldsOfForm, formOfRole, roleForm } from './role-form.ts';
import { typeChangeImpacts } from './type-change-impacts.ts';

export type RoleKind = RecordKind<CloudRole, RoleForm, NewCloudRole, CloudRoleChanges>;

/** An edit's changes to send, without a type that isn't chosen yet. */
function changesOf({ credential_type: type, ...changed }: Partial<RoleForm>): CloudRoleChanges {
  return { ...changed, ...(type !== undefined && type !== '' && { credential_type: type }) };
}

/** The kind of the roles in the engine at a mount. */
export function roleKindOf(mount: string): RoleKind {
  const calls = cloudRolesOf(mount);
  return {
    calls: {
      ...calls,
      create: async (...sent) => tellNotKept(await calls.create(...sent)),
      update: async (...sent) => tellNotKept(await calls.update(...sent)),
    },
    noun: 'role',
    icon: CloudRoleIcon,
    nameOf: ({ name }) => name,
    reasonAgainst: reasonAgainstRole,
    schema: cloudRole,
    fieldsOf: formOfRole,
    formOf: (_, values) => roleForm(values),
    formKey: ({ credential_type: type }) => type,
    bodyOf: (changed) => changesOf(changed),
    anewOf: (values, { name }) => ({ name, ...fieldsOfForm(values) }),
    anewNote: 'Existing leases of the role stay valid.',
    guardOf: ({ item, stored, values }, environment) => guardOf(item, stored, values, environment),
    noticeOf: (_, first) => (first.legacy ? <ConversionNotice role={first} /> : undefined),
    code: {
      of: (changes, { item: { name }, values }) =>
        roleAsCode({ mount, role: name }, fieldsOfForm(values), Object.keys(changes)),
      note: () => `The same role on the command line. ${codeSetUp.secrets}`,
    },
    asideOf: ({ item, values }, code) => (
      <RoleAside values={values} effects={item.legacy ? conversionEffects(item, values) : []}>
        <OtherFields other={item.other} />
        {code}
      </RoleAside>
    ),
  };
}

function tellNotKept(saved: CloudRole): CloudRole {
  const { name, not_kept: lost = [] } = saved;
  if (lost.length > 0)
    void tell('warn', {
      title: `${name} saved without ${lost.map((one) => fieldLabels[one]).join(' and ')}`,
      detail: "The secrets server ignored what it doesn't support. The other fields were saved.",
    });
  return saved;
}

/** Asks before a role loses fields that its new type doesn't have. */
async function guardOf(
  { mount, name }: CloudRole,
  stored: RoleForm,
  values: RoleForm,
  environment: string,
): Promise<SaveGuard | undefined> {
  const lost = lostByEdit(stored, values);
  if (lost.length === 0) return undefined;
  const leases = await queryClient
    .fetchQuery(cloudLeaseCountQuery({ environment, mount, role: name }))
    .catch(() => null);
  return {
    harm: at.cloudRoles.update.harm,
    title: `Change the credential type of ${name}?`,
    confirmLabel: 'Save role',
    typedName: name,
    impacts: typeChangeImpacts(lost, leases),
  };
}

function ConversionNotice({ role: { credential_type: type, invalid_data: invalid } }: { role: CloudRole }) {
  return (
    <Banner tone="info" title="Uses parameters from an older server version" announce="none">
      What this role issues depends on the requested path: {typeInWords(type)}. Choose one credential type.
      Saving creates a role with the same name and current parameters.
      {invalid !== '' && " The role's invalid data is removed."}
    </Banner>
  );
}

/** Shown beside a role's form: the lifetime of its credentials, and the effects of saving. */
export function RoleAside({
  values,
  effects = [],
  children,
}: {
  values: RoleForm;
  effects?: readonly string[];
  children: ReactNode;
}) {
  const { credential_type: type } = values;
  const { default_sts_ttl: usual, max_sts_ttl: most } = withoutUnused(values);
  return (
    <div className="flex flex-col gap-6">
      <div aria-live="polite" className="contents">
        {effects.length > 0 && (
          <section aria-label="Effects of saving" className="flex flex-col gap-2">
            <h2 className="text-heading font-semibold text-ink-1">Effects of saving</h2>
            <ul className="flex list-disc flex-col gap-1 ps-5 text-body text-ink-1">
              {effects.map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {type !== '' && (
        <section aria-label="Credential lifetime" className="flex flex-col gap-2">
          <h2 className="text-heading font-semibold text-ink-1">Lifetime</h2>
          <TtlLadder type={type} defaultTtl={secondsOf(usual) ?? 0} maxTtl={secondsOf(most) ?? 0} />
        </section>
      )}
      {children}
    </div>
  );
}

/** The code of a stored role. */
export function storedRoleAsCode(role: CloudRole) {
  return roleAsCode({ mount: role.mount, role: role.name }, fieldsOfCloudRole(role));
}
