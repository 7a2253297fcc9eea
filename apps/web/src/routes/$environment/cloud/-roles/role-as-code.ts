/** Writes a role as a command, a request and a Terraform block. */
import type { CloudRoleFields } from '@gatehouse/api-types/console/cloud-roles';
import { secondsOf } from '@gatehouse/api-types/console/cloud-values';
import { compactPolicy } from '@gatehouse/api-types/console/policy-text';
import {
  argument,
  curlCommand,
  hclBlock,
  hclName,
  hclString,
  shellCommand,
  shellWord,
  type CodeForms,
  type HclValue,
} from '#components/form/as-code.ts';
import { pathInCode } from '../-settings/path-in-code.ts';

type Field = keyof CloudRoleFields;
type Value = CloudRoleFields[Field];

/**
 * All fields of a role that are set.
 * @param emptied names of fields to send although they are empty, because an edit cleared them
 */
export function roleAsCode(
  { mount, role }: { readonly mount: string; readonly role: string },
  fields: CloudRoleFields,
  emptied: readonly string[] = [],
): CodeForms {
  const held = Object.entries(fields)
    .map(([name, value]): [string, Value] => [name, compacted(name, value)])
    .filter(([name, value]) => !isNothing(value) || emptied.includes(name));
  return {
    ...(held.every(([, value]) => hasPairs(value)) && {
      cli: shellCommand(`vault write ${argument(`${mount}/roles/${role}`)}`, held.flatMap(asArguments)),
    }),
    http: curlCommand({
      method: 'POST',
      addressVariable: 'VAULT_ADDR',
      tokenVariable: 'VAULT_TOKEN',
      path: `/v1/${pathInCode(mount)}/roles/${encodeURIComponent(role)}`,
      body: Object.fromEntries(held.map(([name, value]) => [name, asBody(name, value)])),
    }),
    terraform: hclBlock('resource', ['vault_aws_secret_backend_role', hclName(role)], {
      backend: mount,
      name: role,
      ...Object.fromEntries(
        held.filter(([, value]) => !isNothing(value)).map(([name, value]) => [name, asHcl(name, value)]),
      ),
    }),
  };
}

function isNothing(value: Value): boolean {
  if (typeof value === 'object') return Object.keys(value).length === 0;
  return value === '';
}

/** Policy documents without line breaks, as servers store them. */
function compacted(name: string, value: Value): Value {
  return name === 'policy_document' && typeof value === 'string' ? compactPolicy(value) : value;
}

function pairsOf(value: Value): readonly string[] | undefined {
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([key, text]) => `${key}=${text}`);
}

/** Whether tags can be written as `key=value`, which the CLI splits at the first "=". */
function hasPairs(value: Value): boolean {
  return typeof value !== 'object' || Array.isArray(value) || !Object.keys(value).join('').includes('=');
}

function asArguments([name, value]: readonly [string, Value]): readonly string[] {
  const pairs = pairsOf(value);
  if (pairs !== undefined && pairs.length > 0) return pairs.map((pair) => `${name}=${shellWord(pair)}`);
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : '';
  return [`${name}=${text === '' ? '' : shellWord(text)}`];
}

function asBody(name: string, value: Value): unknown {
  if (name === 'default_sts_ttl' || name === 'max_sts_ttl') return value === '' ? 0 : value;
  return hasPairs(value) ? (pairsOf(value) ?? value) : value;
}

function asHcl(name: string, value: Value): HclValue {
  if (typeof value === 'string')
    return name === 'default_sts_ttl' || name === 'max_sts_ttl' ? (secondsOf(value) ?? 0) : value;
  if (Array.isArray(value)) return value;
  const pairs = Object.entries(value).map(([key, text]) => `${hclString(key)} = ${hclString(text)}`);
  return { expression: `{ ${pairs.join(', ')} }` };
}
