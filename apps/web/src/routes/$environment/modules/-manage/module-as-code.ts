/** Changes of module versions as requests to the registry. The module protocol has no publishing of its own. */
import type { DeprecationFields, PublishPlace } from '@gatehouse/api-types/console/modules';
import { curlCommand, shellCommand, type CodeForms } from '#components/form/as-code.ts';

const variables = { addressVariable: 'MODULE_REGISTRY', tokenVariable: 'MODULE_REGISTRY_TOKEN' } as const;

/** Shown beside the requests. */
export const moduleSetUp =
  "Set MODULE_REGISTRY to the registry's address and MODULE_REGISTRY_TOKEN to your token.";

function versionPath({ namespace, name, provider, version }: PublishPlace): string {
  return ['/v1/modules', ...[namespace, name, provider, version].map(encodeURIComponent)].join('/');
}

/** Packs a folder and publishes it. */
export function publishAsCode(
  { namespace, name, provider, version }: PublishPlace,
  { description, source }: { readonly description: string; readonly source: string },
): CodeForms {
  const place = {
    namespace: namespace || 'NAMESPACE',
    name: name || 'NAME',
    provider: provider || 'PROVIDER',
    version: version || '1.0.0',
  };
  const given = Object.entries({ description, source }).filter(([, value]) => value.trim() !== '');
  const query = given
    .map(([key, value]) => `${key}=${encodeURIComponent(value.trim())}`)
    .join('&')
    // Within double quotes, the shell would expand it from its history.
    .replaceAll('!', '%21');
  const { addressVariable, tokenVariable } = variables;
  return {
    http: [
      "tar -czf module.tar.gz --exclude=.git --exclude=.terraform --exclude='*.tfstate*' -C FOLDER .",
      shellCommand('curl --fail-with-body', [
        `--request PUT "$${addressVariable}${versionPath(place)}${query === '' ? '' : `?${query}`}"`,
        `--header "Authorization: Bearer $${tokenVariable}"`,
        "--header 'Content-Type: application/gzip'",
        '--data-binary @module.tar.gz',
      ]),
    ].join('\n'),
  };
}

/** Deprecates or revokes a version. */
export function deprecateAsCode(place: PublishPlace, body: DeprecationFields): string {
  return curlCommand({ ...variables, method: 'PUT', path: `${versionPath(place)}/deprecation`, body });
}
