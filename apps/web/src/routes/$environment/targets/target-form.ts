/** The form of a target: labels, validation and merging. */
import {
  defaultPorts,
  defaultSessionMaxSeconds,
  targetTypes,
  unlimitedConnections,
  type TargetType,
} from '@gatehouse/api-types/console/target-values';
import {
  newTarget,
  targetFields,
  targetPolicy,
  type NewTarget,
  type TargetFields,
} from '@gatehouse/api-types/console/targets';
import { record, scalar } from '@gatehouse/record-merge/policy';
import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Choice, FieldSpec, FormSection, RecordFormSpec } from '#components/form/record-form.ts';
import { projectField } from '#components/record/label-fields.ts';
import { showDuration, showLimit } from '#components/targets/show-target.ts';
import { workerFilter } from './worker-filter-input.ts';

export type NewTargetFields = TargetFields & { scope_id: string; type: TargetType };

/** The fields that new and stored targets of a type share. */
function sharedSections<Values extends TargetFields>(
  type: TargetType,
  hasHostSources = false,
): readonly FormSection<Values>[] {
  // Every path is a field of TargetFields, which Values extends.
  const field = (
    path: FieldPath<TargetFields>,
    rest: Omit<FieldSpec<Values>, 'path'>,
  ): FieldSpec<Values> => ({
    path: path as FieldPath<Values>,
    ...rest,
  });
  const port = defaultPorts[type];
  return [
    {
      title: 'Identity',
      fields: [
        field('name', {
          label: 'Name',
          input: { kind: 'text' },
          isRequired: true,
          description: 'Unique within its project.',
        }),
        field('description', { label: 'Description', input: { kind: 'multiline', rows: 2 } }),
      ],
    },
    {
      title: 'Endpoint',
      description:
        'What sessions connect to: this address, or one of the host sources, which you add to a saved target.',
      fields: [
        field('address', {
          label: 'Address',
          input: { kind: 'text', isMono: true, ...(!hasHostSources && { placeholder: 'db.internal' }) },
          description: "A host name or an IP address, without a port. Can't be combined with host sources.",
          ...(hasHostSources && {
            disabledReason: "A target with host sources can't have an address. Edit its sources to switch.",
          }),
        }),
        field('attributes.default_port', {
          label: 'Default port',
          input: { kind: 'number', min: 1, max: 65_535, ...(port !== null && { placeholder: String(port) }) },
          isRequired: port === null,
          description:
            port === null
              ? 'The port that sessions connect to on the target.'
              : `The port that sessions connect to on the target. Default: ${String(port)}.`,
        }),
        field('attributes.default_client_port', {
          label: 'Default client port',
          input: { kind: 'number', min: 1, max: 65_535 },
          description:
            "The port on the user's computer that the client listens on. Leave empty for any free one.",
        }),
      ],
    },
    {
      title: 'Sessions',
      fields: [
        field('session_max_seconds', {
          label: 'Maximum session duration',
          input: { kind: 'number', min: 1, step: 60, unit: 'seconds' },
          description: `How long a session can last. Default: ${showDuration(defaultSessionMaxSeconds)}.`,
          show: showDuration,
        }),
        field('session_connection_limit', {
          label: 'Maximum connections per session',
          input: { kind: 'number', min: -1 },
          description: '-1 means no limit.',
          show: showLimit,
        }),
        ...(type === 'ssh'
          ? [
              field('attributes.enable_session_recording', {
                label: 'Record sessions',
                input: { kind: 'check' },
              }),
              field('attributes.storage_bucket_id', {
                label: 'Storage bucket',
                input: { kind: 'text', isMono: true },
                description: 'The ID of the bucket for recordings.',
              }),
            ]
          : []),
      ],
    },
    {
      title: 'Workers',
      description: 'Which workers can carry a session: expressions over their names and tags.',
      fields: [
        field('egress_worker_filter', {
          label: 'Egress worker filter',
          input: { ...workerFilter, placeholder: '"prod" in "/tags/env"' },
          description: 'The workers that reach the target.',
        }),
        field('ingress_worker_filter', {
          label: 'Ingress worker filter',
          input: workerFilter,
          description: 'The workers that the client connects to.',
        }),
        field('worker_filter', {
          label: 'Worker filter',
          input: workerFilter,
          description: "Legacy: for both egress and ingress. Can't be combined with the two filters above.",
        }),
      ],
    },
  ];
}

const otherLabels = {
  host_source_ids: 'Host sources',
  application_credential_source_ids: 'Application credentials',
  brokered_credential_source_ids: 'Brokered credentials',
  injected_application_credential_source_ids: 'Injected application credentials',
  endpoint: 'Endpoint',
  'worker filters': 'Worker filters',
} as const;

/** Checks that depend on several fields, reported at the field to fix. */
function checkTogether(typeOf: (fields: TargetFields) => TargetType) {
  return z.superRefine<TargetFields>((fields, context) => {
    if (defaultPorts[typeOf(fields)] === null && fields.attributes.default_port === null) {
      context.addIssue({
        code: 'custom',
        path: ['attributes', 'default_port'],
        message: 'A TCP target needs a default port.',
      });
    }
    if (
      fields.worker_filter !== '' &&
      (fields.egress_worker_filter !== '' || fields.ingress_worker_filter !== '')
    ) {
      context.addIssue({
        code: 'custom',
        path: ['worker_filter'],
        message: 'Use either this or the egress and ingress filters.',
      });
    }
  });
}

/** A type that the console knows. Targets of other types are edited with the form of SSH targets. */
export function knownType(type: string): TargetType | undefined {
  return targetTypes.find((known) => known === type);
}

/** The form of a stored target, whose type and project can't change. */
export function targetForm(type: string, hasHostSources = false): RecordFormSpec<TargetFields> {
  return {
    noun: 'target',
    schema: targetFields.check(checkTogether(() => knownType(type) ?? 'ssh')),
    policy: targetPolicy,
    sections: sharedSections(knownType(type) ?? 'ssh', hasHostSources),
    otherLabels,
  };
}

export function newTargetForm(
  type: TargetType,
  projects: readonly Choice[],
): RecordFormSpec<NewTargetFields> {
  const [identity, ...others] = sharedSections<NewTargetFields>(type);
  const placement: readonly FieldSpec<NewTargetFields>[] = [
    projectField(projects, "The target can't be moved later."),
    {
      path: 'type',
      label: 'Type',
      input: {
        kind: 'choice',
        options: [
          { value: 'tcp', label: 'TCP', description: 'Any service on a port' },
          {
            value: 'ssh',
            label: 'SSH',
            description: 'Credential injection and session recording (both optional)',
          },
          { value: 'rdp', label: 'RDP', description: 'Remote desktops' },
        ],
      },
      isRequired: true,
      description: "The type can't be changed later.",
    },
  ];
  return {
    noun: 'target',
    schema: z
      .strictObject({ ...targetFields.shape, scope_id: newTarget.shape.scope_id, type: newTarget.shape.type })
      .check(checkTogether(() => type)),
    policy: record({ ...targetPolicy.fields, scope_id: scalar, type: scalar }),
    sections: [{ title: 'Identity', fields: [...(identity?.fields ?? []), ...placement] }, ...others],
    otherLabels,
  };
}

/** An empty target of a type, with the controller's defaults. */
export function blankTarget(type: TargetType, scope: string): NewTargetFields {
  return {
    scope_id: scope,
    type,
    name: '',
    description: '',
    address: '',
    session_max_seconds: defaultSessionMaxSeconds,
    session_connection_limit: unlimitedConnections,
    worker_filter: '',
    egress_worker_filter: '',
    ingress_worker_filter: '',
    attributes: { default_port: null, default_client_port: null, ...sshAttributes(type) },
  };
}

/** The attributes that only SSH targets have. */
function sshAttributes(type: TargetType) {
  return type === 'ssh' ? { storage_bucket_id: '', enable_session_recording: false } : {};
}

/** The body to create a target: only the set fields. */
export function newTargetBody({ attributes, ...fields }: NewTargetFields): NewTarget {
  const isSet = ([, value]: [string, unknown]): boolean => value !== '' && value !== null;
  const { storage_bucket_id: bucket, enable_session_recording: isRecorded, ...ports } = attributes;
  const set = Object.fromEntries(Object.entries(fields).filter(isSet));
  const setAttributes = {
    ...Object.fromEntries(Object.entries(ports).filter(isSet)),
    ...(fields.type === 'ssh' && isRecorded === true && { enable_session_recording: true }),
    ...(fields.type === 'ssh' && bucket !== undefined && bucket !== '' && { storage_bucket_id: bucket }),
  };
  return {
    ...set,
    scope_id: fields.scope_id,
    type: fields.type,
    name: fields.name,
    ...(Object.keys(setAttributes).length > 0 && { attributes: setAttributes }),
  };
}
