/** The form of a role, which depends on its credential type. */
import {
  cloudRoleFields,
  cloudRolePolicy,
  fieldsOfCloudRole,
  newCloudRole,
  roleProblems,
  type CloudRole,
  type CloudRoleFields,
} from '@gatehouse/api-types/console/cloud-roles';
import {
  cloudCredentialTypes,
  secondsOf,
  type CloudCredentialType,
} from '@gatehouse/api-types/console/cloud-values';
import { record, scalar } from '@gatehouse/record-merge/policy';
import { lazy } from '@gatehouse/ui/lazy';
import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import { pairsSchema } from '#components/form/pairs-schema.ts';
import type { FieldSpec, FormSection, RecordFormSpec } from '#components/form/record-form.ts';
import { typeDescriptions, typeWords } from '#lib/cloud-types.ts';
import { durationInWords } from '#lib/duration.ts';
import { capInHours } from '#routes/$environment/cloud/ttl-ladder.ts';
import { LostFields } from './LostFields.tsx';
import { fieldLabels, hasUseFor, withoutUnused, type RoleField, type RoleForm } from './role-fields.ts';
import { DefaultTtlNote, MaxTtlNote } from './TtlNotes.tsx';

const TagsEditor = lazy(async () => ({ default: (await import('./TagsEditor.tsx')).TagsEditor }));
const SessionTagsEditor = lazy(async () => ({
  default: (await import('./TagsEditor.tsx')).SessionTagsEditor,
}));
const PairEditor = lazy(async () => ({
  default: (await import('#components/form/PairsEditor.tsx')).PairEditor,
}));
const PolicyEditor = lazy(async () => ({
  default: (await import('#routes/$environment/cloud/-policy/PolicyEditor.tsx')).PolicyEditor,
}));

const SessionPolicyEditor = lazy(async () => ({
  default: (await import('./SessionPolicyEditor.tsx')).SessionPolicyEditor,
}));

/** A new role; its name can't be changed later. */
export interface NewRoleForm extends RoleForm {
  name: string;
}

const shape = {
  ...cloudRoleFields.shape,
  credential_type: z
    .enum([...cloudCredentialTypes, ''])
    .check(z.refine((type) => type !== '', 'Choose a credential type.')),
  iam_tags: pairsSchema(cloudRoleFields.shape.iam_tags),
  session_tags: pairsSchema(cloudRoleFields.shape.session_tags),
};

/** Reports fields that don't go together, at one of them. */
const together = z.superRefine<RoleForm>(({ credential_type: type, ...role }, context) => {
  const problems = roleProblems({ ...role, credential_type: type === '' ? undefined : type });
  for (const { field, message } of problems) context.addIssue({ code: 'custom', path: [field], message });
});

// Fields that the type doesn't use aren't checked or saved.
const storedSchema = z.pipe(
  z.transform((role: RoleForm) => withoutUnused(role)),
  z.strictObject(shape).check(together),
);
const newSchema = z.pipe(
  z.transform((role: NewRoleForm) => withoutUnused(role)),
  z.strictObject({ name: newCloudRole.shape.name, ...shape }).check(together),
);

const inWords = (value: unknown): string => {
  const seconds = typeof value === 'string' ? secondsOf(value) : undefined;
  return seconds === undefined ? String(value) : durationInWords(seconds);
};

/** Every path is a field of RoleForm, which Values extends. */
function field<Values extends RoleForm>(
  path: RoleField,
  rest: Omit<FieldSpec<Values>, 'path' | 'label'>,
): FieldSpec<Values> {
  return { path: path as FieldPath<Values>, label: fieldLabels[path], ...rest };
}

function typeField<Values extends RoleForm>(): FieldSpec<Values> {
  return {
    path: 'credential_type' as FieldPath<Values>,
    label: 'Credential type',
    isRequired: true,
    input: {
      kind: 'choice',
      options: cloudCredentialTypes.map((type) => ({
        value: type,
        label: typeWords[type],
        description: typeDescriptions[type],
      })),
    },
    Below: LostFields,
    show: (value) => cloudCredentialTypes.map((type) => (type === value ? typeWords[type] : '')).join(''),
  };
}

const policyUse: Readonly<Record<CloudCredentialType | '', string>> = {
  '': 'Managed policies. You can paste several ARNs, one per line.',
  iam_user: 'Managed policies attached to the user. You can paste several ARNs, one per line.',
  assumed_role: 'Managed policies that limit the assumed role. You can paste several ARNs, one per line.',
  federation_token: 'Managed policies that limit the token. You can paste several ARNs, one per line.',
};

/** Describes where the credentials' permissions come from. */
const permissionsFrom: Readonly<Record<CloudCredentialType | '', string>> = {
  '': 'The credential type decides whether these fields grant or limit permissions.',
  iam_user: 'Each IAM user gets all of these permissions together.',
  assumed_role: 'Permissions come from the assumed role. Policies and groups here only narrow them.',
  federation_token:
    "Each token can do what both the engine's root user and the policies and groups here allow.",
};

function sectionsOf<Values extends RoleForm>(
  type: RoleForm['credential_type'],
): readonly FormSection<Values>[] {
  const isUser = type === 'iam_user';
  const cap = type === '' ? '' : capInHours(type);
  const own = (fields: readonly (readonly [RoleField, Omit<FieldSpec<Values>, 'path' | 'label'>])[]) =>
    fields.filter(([path]) => hasUseFor(type, path)).map(([path, rest]) => field<Values>(path, rest));
  const sections: readonly FormSection<Values>[] = [
    {
      title: 'Permissions',
      description: permissionsFrom[type],
      fields: own([
        [
          'role_arns',
          {
            isRequired: true,
            description: 'Roles that can be assumed. If you list several, each request must name one.',
            input: {
              kind: 'list',
              noun: 'role ARN',
              placeholder: 'arn:aws:iam::123456789012:role/deploy',
            },
          },
        ],
        [
          'external_id',
          {
            description:
              "Sent when a role is assumed. Set an external ID if the roles' trust policies require one.",
            input: { kind: 'text', isMono: true, placeholder: 'partner-7' },
          },
        ],
        [
          'policy_arns',
          {
            description: policyUse[type],
            input: {
              kind: 'list',
              noun: 'policy ARN',
              placeholder: 'arn:aws:iam::aws:policy/ReadOnlyAccess',
            },
          },
        ],
        [
          'policy_document',
          { input: { kind: 'editor', Editor: isUser ? PolicyEditor : SessionPolicyEditor } },
        ],
        [
          'iam_groups',
          {
            description: isUser
              ? 'Groups that each IAM user joins.'
              : 'Groups whose policies are added to the document and policies above.',
            input: { kind: 'list', noun: 'group', placeholder: 'deployers' },
          },
        ],
      ]),
    },
    {
      title: 'Sessions',
      fields: own([
        ['session_tags', { input: { kind: 'map', Editor: SessionTagsEditor, EntryEditor: PairEditor } }],
      ]),
    },
    {
      title: 'Lifetime',
      description: 'How long credentials last. A request can set another duration.',
      fields: own([
        [
          'default_sts_ttl',
          {
            description: `Used if the request sets no duration. Leave empty for 1 hour. Can't exceed the maximum TTL or ${cap}.`,
            input: { kind: 'duration', none: 'not set' },
            Below: DefaultTtlNote,
            show: inWords,
          },
        ],
        [
          'max_sts_ttl',
          {
            description: `The longest duration a request can set. Leave empty for the provider's limit: ${cap}.`,
            input: { kind: 'duration', none: 'not set' },
            Below: MaxTtlNote,
            show: inWords,
          },
        ],
      ]),
    },
    {
      title: 'Users',
      description: 'How IAM users are created at the provider.',
      fields: own([
        ['iam_tags', { input: { kind: 'map', Editor: TagsEditor, EntryEditor: PairEditor } }],
        [
          'user_path',
          {
            description: 'Must begin and end with a slash. Leave empty for /.',
            input: { kind: 'text', isMono: true, placeholder: '/' },
          },
        ],
        [
          'permissions_boundary_arn',
          {
            description: 'A managed policy that limits every IAM user, whatever else is granted.',
            input: {
              kind: 'text',
              isMono: true,
              placeholder: 'arn:aws:iam::123456789012:policy/boundary',
            },
          },
        ],
      ]),
    },
  ];
  return sections.filter(({ fields }) => fields.length > 0);
}

/** Fields of other types, which a conflict may concern although this form doesn't show them. */
function elsewhere<Values extends RoleForm>(type: RoleForm['credential_type']): readonly FieldSpec<Values>[] {
  const shown = new Set(sectionsOf<Values>(type).flatMap(({ fields }) => fields.map(({ path }) => path)));
  return cloudCredentialTypes
    .flatMap((other) => sectionsOf<Values>(other).flatMap(({ fields }) => fields))
    .filter(
      ({ path }, index, all) => !shown.has(path) && all.findIndex((one) => one.path === path) === index,
    );
}

const otherLabels = { times: 'Lifetime' } as const;

/** The form of a stored role of a given type. */
export function roleForm({ credential_type: type }: RoleForm): RecordFormSpec<RoleForm> {
  return {
    noun: 'role',
    schema: storedSchema,
    policy: cloudRolePolicy,
    sections: [{ title: 'Credentials', fields: [typeField<RoleForm>()] }, ...sectionsOf<RoleForm>(type)],
    inConflict: elsewhere<RoleForm>(type),
    otherLabels,
  };
}

export function newRoleForm({ credential_type: type }: NewRoleForm): RecordFormSpec<NewRoleForm> {
  return {
    noun: 'role',
    schema: newSchema,
    policy: record({ name: scalar, ...cloudRolePolicy.fields }),
    sections: [
      {
        title: 'Credentials',
        fields: [
          {
            path: 'name',
            label: 'Name',
            isRequired: true,
            description: "The name that users and programs request. It can't be changed later.",
            input: { kind: 'text', isMono: true, placeholder: 'deploy' },
          },
          typeField<NewRoleForm>(),
        ],
      },
      ...sectionsOf<NewRoleForm>(type),
    ],
    otherLabels,
  };
}

/** A stored role's form values. A legacy role needs a type, which converts it. */
export function formOfRole(role: CloudRole): RoleForm {
  return { ...fieldsOfCloudRole(role), ...(role.legacy && { credential_type: '' as const }) };
}

/** The body of a validated form, which has a type. */
export function fieldsOfForm<Values extends RoleForm>(
  values: Values,
): Omit<Values, 'credential_type'> & Pick<CloudRoleFields, 'credential_type'> {
  const { credential_type: type, ...rest } = withoutUnused(values);
  return { credential_type: type === '' ? 'iam_user' : type, ...rest };
}
