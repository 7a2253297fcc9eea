/** Commands, requests and Terraform blocks that change settings and custom metadata. */
import { readDuration } from '@gatehouse/api-types/console/read-duration';
import type {
  SecretEngineChanges,
  SecretMetadataFields,
  SecretRules,
} from '@gatehouse/api-types/console/secret-metadata';
import {
  argument,
  curlCommand,
  hclBlock,
  hclName,
  shellCommand,
  shellWord,
  type CodeForms,
  type HclValue,
} from '#components/form/as-code.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { metadataChanges } from './metadata-form.ts';

const addressVariable = 'VAULT_ADDR';
const tokenVariable = 'VAULT_TOKEN';

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A secret's metadata changes. Without Terraform, which manages metadata only together with the values. */
export function metadataAsCode(
  { mount, path }: Pick<SecretPlace, 'mount' | 'path'>,
  before: SecretMetadataFields,
  after: SecretMetadataFields,
): CodeForms {
  const changes = metadataChanges(before, after);
  const custom = Object.entries(changes.custom_metadata ?? {});
  const parts = [
    ...settingParts(changes),
    ...custom.map(([key, value]) =>
      value === null
        ? `-remove-custom-metadata=${shellWord(key)}`
        : `-custom-metadata=${shellWord(`${key}=${value}`)}`,
    ),
    `-mount=${shellWord(mount)} ${argument(path)}`,
  ];
  return {
    // The CLI trims its arguments and would change another secret.
    ...(path === path.trim() && { cli: shellCommand('vault kv metadata patch', parts) }),
    http: curlCommand({
      method: 'PATCH',
      addressVariable,
      tokenVariable,
      path: `/v1/${encoded(mount)}/metadata/${encoded(path)}`,
      contentType: 'application/merge-patch+json',
      body: changes,
    }),
  };
}

export function engineAsCode(mount: string, { description, ...fields }: SecretEngineChanges): CodeForms {
  const args: Record<string, HclValue> = {
    mount,
    max_versions: fields.max_versions,
    cas_required: fields.cas_required,
    delete_version_after: readDuration(fields.delete_version_after) ?? 0,
  };
  return {
    cli: [
      shellCommand(`vault write ${argument(`${mount}/config`)}`, [
        `max_versions=${String(fields.max_versions)}`,
        `cas_required=${String(fields.cas_required)}`,
        `delete_version_after=${shellWord(fields.delete_version_after)}`,
      ]),
      ...(description === undefined
        ? []
        : [shellCommand('vault secrets tune', [`-description=${shellWord(description)}`, argument(mount)])]),
    ].join('\n'),
    http: [
      { path: `/v1/${encoded(mount)}/config`, body: fields },
      ...(description === undefined
        ? []
        : [{ path: `/v1/sys/mounts/${encoded(mount)}/tune`, body: { description } }]),
    ]
      .map((request) => curlCommand({ method: 'POST', addressVariable, tokenVariable, ...request }))
      .join('\n'),
    terraform: hclBlock('resource', ['vault_kv_secret_backend_v2', hclName(mount)], args),
  };
}

function settingParts(changes: Partial<SecretRules>): readonly string[] {
  return [
    ...(changes.max_versions === undefined ? [] : [`-max-versions=${String(changes.max_versions)}`]),
    ...(changes.cas_required === undefined ? [] : [`-cas-required=${String(changes.cas_required)}`]),
    ...(changes.delete_version_after === undefined
      ? []
      : [`-delete-version-after=${shellWord(changes.delete_version_after)}`]),
  ];
}
