import { expect, test } from 'vitest';
import { leaseAsCode, rootAsCode } from './settings-as-code.ts';

const root = {
  access_key: 'AKIA1',
  secret_key: 'never-shown',
  region: '',
  iam_endpoint: 'https://iam.example.test',
  sts_endpoint: '',
  max_retries: -1,
};

test('the code never contains the secret key', () => {
  const code = rootAsCode('team/cloud', root);
  expect(JSON.stringify(code)).not.toContain('never-shown');
  expect(code.cli).toBe(
    [
      String.raw`vault write team/cloud/config/root \ `.trimEnd(),
      String.raw`  access_key=AKIA1 \ `.trimEnd(),
      String.raw`  iam_endpoint=https://iam.example.test \ `.trimEnd(),
      String.raw`  secret_key="$SECRET_KEY" \ `.trimEnd(),
      '  max_retries=-1',
    ].join('\n'),
  );
  expect(code.http).toContain('/v1/team/cloud/config/root"');
  expect(code.terraform).toContain('secret_key   = var.secret_key');
});

test('without keys none are sent, and leases have no Terraform block', () => {
  expect(rootAsCode('cloud', { ...root, access_key: '' }).cli).not.toContain('_key');
  const { cli, terraform } = leaseAsCode('cloud', { lease: '30m', lease_max: '12h' });
  expect(cli).toBe('vault write cloud/config/lease \\\n  lease=30m \\\n  lease_max=12h');
  expect(terraform).toBeUndefined();
});
