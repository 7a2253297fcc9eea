import { kindOf, objectText } from '@gatehouse/api-types/console/json-text';
import {
  argument,
  type CodeForms,
  codeSetUp,
  curlCommand,
  hclName,
  hclString,
  shellCommand,
  shellWord,
} from '#components/form/as-code.ts';
import { nameOf } from '#components/places/secrets.ts';
import type { SecretPlace, WriteMode } from '#queries/secrets.ts';
import { fieldName } from '../-fields/form-keys.ts';
import { problemOfValue, isUnseen, type SecretValues } from '../-fields/secret-values.ts';

/** The note below the code. */
export const secretNote = `The same write on the command line. Replace the placeholders with the values. ${codeSetUp.secrets}`;

export interface WrittenSecret {
  readonly place: SecretPlace;
  readonly mode: WriteMode;
  /** The version to write over; 0 for the first; absent if unknown. */
  readonly cas?: string;
  /** Whether fields that aren't named may exist. */
  readonly isBlind?: boolean;
  readonly before: SecretValues;
  readonly after: SecretValues;
}

/** Code that writes the secret without the console, with a placeholder named after each field instead of its value. */
export function secretAsCode({ place, mode, cas, isBlind, before, after }: WrittenSecret): CodeForms {
  const isPatch = mode === 'patch';
  const all = Object.entries(after.data);
  const changed = isPatch ? all.filter(([key, text]) => !isUnseen(text) && text !== before.data[key]) : all;
  // In a patch, null removes the field.
  const written = isPatch ? changed.filter(([, text]) => text !== 'null') : changed;
  const removed = isPatch
    ? [
        ...Object.keys(before.data).filter((key) => !Object.hasOwn(after.data, key)),
        ...changed.filter(([, text]) => text === 'null').map(([key]) => key),
      ]
    : [];
  const body = Object.fromEntries([
    ...written.map(([key]) => [fieldName(key), `<${fieldName(key)}>`] as const),
    ...removed.map((key) => [fieldName(key), null] as const),
  ]);
  const path = [place.mount, 'data', place.path]
    .flatMap((part) => part.split('/'))
    .map(encodeURIComponent)
    .join('/');
  return {
    // The CLI trims its arguments and would write another secret.
    ...(place.path === place.path.trim() && { cli: command(place, isPatch, cas, written, removed) }),
    http: curlCommand({
      method: isPatch ? 'PATCH' : 'POST',
      addressVariable: 'VAULT_ADDR',
      tokenVariable: 'VAULT_TOKEN',
      path: `/v1/${path}`,
      body: { ...(cas !== undefined && { options: { cas: Number(cas) } }), data: body },
      ...(isPatch && { contentType: 'application/merge-patch+json' }),
    }),
    // Terraform replaces all fields, so hidden ones would be lost.
    ...(isBlind !== true && { terraform: terraform(place, all) }),
  };
}

type Fields = readonly (readonly [key: string, text: string])[];

function command(
  { mount, path }: SecretPlace,
  isPatch: boolean,
  cas: string | undefined,
  written: Fields,
  removed: readonly string[],
): string {
  const head = `vault kv ${isPatch ? 'patch' : 'put'} -mount=${shellWord(mount)}${cas === undefined ? '' : ` -cas=${cas}`}`;
  const flags = removed.map((key) => `-remove-data=${shellWord(fieldName(key))}`);
  // The CLI makes every value in its arguments a string, and splits at the first "=".
  const isPlain = written.every(
    ([key, text]) => /^[A-Za-z0-9_.][\w.-]*$/.test(fieldName(key)) && (isUnseen(text) || isText(text)),
  );
  if (isPlain) {
    return shellCommand(head, [
      ...flags,
      argument(path),
      ...written.map(([key]) => `${fieldName(key)}='<${fieldName(key)}>'`),
    ]);
  }
  const data = objectText(
    written.map(([key]) => ({ key: fieldName(key), text: JSON.stringify(`<${fieldName(key)}>`) })),
    true,
  );
  return `${shellCommand(head, [...flags, argument(path), '-'])} <<'JSON'\n${data}\nJSON`;
}

function isText(text: string): boolean {
  return problemOfValue(text) !== undefined || kindOf(text) === 'string';
}

function terraform({ mount, path }: SecretPlace, fields: Fields): string {
  const name = hclName(nameOf(path));
  const keys = fields.map(([key]) => fieldName(key));
  const label = (key: string): string => (/^[A-Za-z_][\w-]*$/.test(key) ? key : hclString(key));
  const width = Math.max(0, ...keys.map((key) => label(key).length));
  return [
    `resource "vault_kv_secret_v2" ${hclString(name)} {`,
    `  mount = ${hclString(mount)}`,
    `  name  = ${hclString(path)}`,
    '  data_json = jsonencode({',
    ...keys.map((key) => `    ${label(key).padEnd(width)} = var.${hclName(`${name}_${key}`)}`),
    '  })',
    '}',
  ].join('\n');
}
