/** Targets as CLI commands, API requests and Terraform blocks. */
import { defaultSessionMaxSeconds, unlimitedConnections } from '@gatehouse/api-types/console/target-values';
import {
  fieldsOfTarget,
  type NewTarget,
  type Target,
  type TargetChanges,
} from '@gatehouse/api-types/console/targets';
import {
  curlCommand,
  hclBlock,
  hclName,
  shellCommand,
  shellWord,
  type CodeForms,
  type HclValue,
} from '#components/form/as-code.ts';

const variables = { addressVariable: 'BOUNDARY_ADDR', tokenVariable: 'BOUNDARY_TOKEN' } as const;

/** Empty fields count as not set, and are omitted when creating. */
function isSet(value: unknown): boolean {
  return value !== '' && value !== null && value !== undefined;
}

type Flag = readonly [name: string, value: unknown];

function flagsOf(fields: Omit<TargetChanges, 'version'>): readonly Flag[] {
  const { attributes, ...rest } = fields;
  return [...Object.entries(rest), ...Object.entries(attributes ?? {})]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name.replaceAll('_', '-'), value] as const);
}

function flag([name, value]: Flag): string {
  // The CLI's value for clearing a field.
  return `-${name}=${shellWord(isSet(value) ? String(value) : 'null')}`;
}

/** Code that creates a target, without fields that aren't set. */
export function createTargetAsCode({ scope_id, type, ...fields }: NewTarget): CodeForms {
  const { attributes, ...rest } = fields;
  const setAttributes = Object.fromEntries(
    Object.entries(attributes ?? {}).filter(([, value]) => isSet(value)),
  );
  const setFields = Object.fromEntries(Object.entries(rest).filter(([, value]) => isSet(value)));
  // Leaves out fields with the controller's defaults.
  if (setFields.session_max_seconds === defaultSessionMaxSeconds) delete setFields.session_max_seconds;
  if (setFields.session_connection_limit === unlimitedConnections) delete setFields.session_connection_limit;
  const body = {
    scope_id,
    type,
    ...setFields,
    ...(Object.keys(setAttributes).length > 0 && { attributes: setAttributes }),
  };
  return {
    cli: shellCommand(`boundary targets create ${type}`, [
      ...(scope_id === '' ? [] : [`-scope-id=${shellWord(scope_id)}`]),
      ...flagsOf({ ...setFields, attributes: setAttributes }).map(flag),
    ]),
    http: curlCommand({ ...variables, method: 'POST', path: '/v1/targets', body }),
    terraform: targetBlock(scope_id, type, { ...setFields, ...setAttributes }),
  };
}

/** Code that makes these changes. The Terraform block contains the whole target. */
export function updateTargetAsCode(target: Target, changes: TargetChanges): CodeForms {
  const flags = flagsOf(changes);
  const { attributes, ...fields } = fieldsOfTarget(target);
  const { attributes: changedAttributes, ...changedFields } = changes;
  const version = Number(target.revision);
  return {
    cli: shellCommand(`boundary targets update ${target.type}`, [
      `-id=${shellWord(target.id)}`,
      `-version=${target.revision}`,
      ...flags.map(flag),
    ]),
    http: curlCommand({
      ...variables,
      method: 'PATCH',
      path: `/v1/targets/${target.id}`,
      body: {
        version,
        ...cleared(changedFields),
        ...(changedAttributes && { attributes: changedAttributes }),
      },
    }),
    terraform: targetBlock(target.scope_id, target.type, {
      ...fields,
      ...attributes,
      ...changedFields,
      ...changedAttributes,
    }),
  };
}

/** The API clears a field with null. */
function cleared(fields: Omit<TargetChanges, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value]),
  );
}

function targetBlock(scope: string, type: string, fields: Readonly<Record<string, unknown>>): string {
  const args: Record<string, HclValue> = { scope_id: scope, type };
  for (const [name, value] of Object.entries(fields)) {
    if (
      isSet(value) &&
      (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    ) {
      args[name] = value;
    }
  }
  const name = typeof fields['name'] === 'string' ? fields['name'] : 'target';
  return hclBlock('resource', ['boundary_target', hclName(name)], args);
}
