/** Plans a bulk edit for each target. Pure, so that the review shows exactly what is sent. */
import {
  fieldsOfTarget,
  type Target,
  type TargetChanges,
  type TargetFields,
} from '@gatehouse/api-types/console/targets';
import { absent } from '@gatehouse/record-merge/absent';
import { changesBetween, type RecordChange } from '#components/form/field-changes.ts';
import { partialUpdate } from '#components/form/partial-update.ts';
import { labelAt, type FieldSpec } from '#components/form/record-form.ts';
import { reasonAgainst } from '../may.ts';
import { targetForm } from '../target-form.ts';

/** A field that can be set on many targets. Not the name, which is unique in its project. */
export type BulkPath = Exclude<FieldSpec<TargetFields>['path'], 'name' | 'attributes'>;

/** The chosen fields' values, by path. */
export type BulkValues = ReadonlyMap<BulkPath, unknown>;

/** A form with the fields of all types: SSH has them all. */
export const anyTargetForm = targetForm('ssh');

/** The fields that can be set, as in the target form. */
export const bulkFields: readonly (FieldSpec<TargetFields> & { path: BulkPath })[] = anyTargetForm.sections
  .flatMap(({ fields }) => fields)
  .filter((field): field is FieldSpec<TargetFields> & { path: BulkPath } => field.path !== 'name')
  .map((field) =>
    field.path === 'attributes.default_port'
      ? {
          ...field,
          description:
            'The port that sessions connect to on the target. Empty means 22 for SSH and 3389 for RDP; TCP needs one.',
        }
      : field,
  );

const sshAlone = new Set<string>(['attributes.enable_session_recording', 'attributes.storage_bucket_id']);

export type TargetPlan =
  | {
      readonly kind: 'change';
      readonly changes: TargetChanges;
      /** For the review. */
      readonly words: readonly RecordChange[];
    }
  /** It already has these values. */
  | { readonly kind: 'same' }
  | { readonly kind: 'impossible'; readonly reason: string };

/** The plan for setting the values on one target. */
export function planFor(target: Target, values: BulkValues): TargetPlan {
  const refused = reasonAgainst(target, 'update');
  if (refused !== undefined) return { kind: 'impossible', reason: refused };
  if (target.type !== 'ssh') {
    const label = [...values.keys()].find((path) => sshAlone.has(path));
    if (label !== undefined)
      return {
        kind: 'impossible',
        reason: `${labelAt(anyTargetForm, label.split('.'))} applies only to SSH targets.`,
      };
  }
  if (values.has('address') && values.get('address') !== '' && target.host_source_ids.length > 0)
    return { kind: 'impossible', reason: "A target with host sources can't have an address." };
  const form = targetForm(target.type);
  const before = fieldsOfTarget(target);
  const after = withValues(before, values);
  const words = changesBetween(form, before, after);
  if (words.length === 0) return { kind: 'same' };
  const checked = form.schema.safeParse(after);
  const issue = checked.error?.issues[0];
  if (issue)
    return { kind: 'impossible', reason: `${labelAt(form, issue.path.map(String))}: ${issue.message}` };
  return { kind: 'change', changes: partialUpdate(form.policy, before, after), words };
}

/** A target's fields with these values. */
export function withValues(fields: TargetFields, values: BulkValues): TargetFields {
  const attributes = { ...fields.attributes };
  const own = { ...fields, attributes };
  for (const [path, value] of values) {
    const [name, below] = path.split('.');
    // The paths are fields of TargetFields, and their inputs return the right types.
    if (below === undefined) Object.assign(own, { [name ?? '']: value });
    else Object.assign(attributes, { [below]: value });
  }
  return own;
}

/** The value that all targets share; `absent` if they differ. */
export function commonValue(targets: readonly Target[], path: BulkPath): unknown {
  const valueOf = (target: Target): unknown => {
    const [name = '', below] = path.split('.');
    const fields: Readonly<Record<string, unknown>> = fieldsOfTarget(target);
    const value = fields[name];
    if (below === undefined) return value;
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)[below]
      : undefined;
  };
  const [first, ...rest] = targets;
  if (!first) return absent;
  const value = valueOf(first);
  if (value === undefined) return absent;
  return rest.every((target) => Object.is(valueOf(target), value)) ? value : absent;
}
