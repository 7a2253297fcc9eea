/** Commands, requests and Terraform blocks that change an engine's settings. */
import type { CloudLeaseFields, CloudRootFields } from '@gatehouse/api-types/console/cloud-engines';
import {
  argument,
  curlCommand,
  hclBlock,
  hclName,
  shellCommand,
  shellWord,
  type CodeForms,
} from '#components/form/as-code.ts';
import { pathInCode } from './path-in-code.ts';

function request(mount: string, name: string, body: unknown): string {
  return curlCommand({
    method: 'POST',
    addressVariable: 'VAULT_ADDR',
    tokenVariable: 'VAULT_TOKEN',
    path: `/v1/${pathInCode(mount)}/config/${name}`,
    body,
  });
}

/** The root credentials, with a variable for the secret key. */
export function rootAsCode(mount: string, fields: CloudRootFields): CodeForms {
  const { access_key, region, iam_endpoint, sts_endpoint, max_retries } = fields;
  const texts = Object.entries({ access_key, region, iam_endpoint, sts_endpoint }).filter(
    ([, text]) => text !== '',
  );
  const hasKeys = access_key !== '';
  return {
    cli: shellCommand(`vault write ${argument(`${mount}/config/root`)}`, [
      ...texts.map(([name, text]) => `${name}=${shellWord(text)}`),
      ...(hasKeys ? ['secret_key="$SECRET_KEY"'] : []),
      `max_retries=${String(max_retries)}`,
    ]),
    http: request(mount, 'root', {
      ...Object.fromEntries(texts),
      ...(hasKeys && { secret_key: 'SECRET_KEY' }),
      max_retries,
    }),
    terraform: hclBlock('resource', ['vault_aws_secret_backend', hclName(mount)], {
      path: mount,
      ...Object.fromEntries(texts),
      ...(hasKeys && { secret_key: { expression: 'var.secret_key' } }),
      max_retries,
    }),
  };
}

/** The lease settings. Terraform's provider only supports those of the mount. */
export function leaseAsCode(mount: string, fields: CloudLeaseFields): CodeForms {
  const { lease, lease_max } = fields;
  return {
    cli: shellCommand(`vault write ${argument(`${mount}/config/lease`)}`, [
      `lease=${shellWord(lease)}`,
      `lease_max=${shellWord(lease_max)}`,
    ]),
    http: request(mount, 'lease', { lease, lease_max }),
  };
}
