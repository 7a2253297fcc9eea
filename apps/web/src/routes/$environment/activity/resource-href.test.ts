import { expect, test } from 'vitest';
import { resourceHref } from './resource-href.ts';

test('finds resources by a path of names, each encoded once', () => {
  const at = (kind: string, id: string, action = `${kind}.update`) =>
    resourceHref({ action, resource: { kind, id, name: '' } }, 'local');
  expect(at('target', 'ttcp_1')).toBe('/local/targets/ttcp_1');
  expect(at('session', 's_1')).toBe('/local/sessions?session=s_1');
  expect(at('box', 'ana@x.org/base')).toBe('/local/boxes/owners/ana%40x.org/base');
  expect(at('box-version', 'acme/base/1.0.0')).toBe('/local/boxes/owners/acme/base/versions/1.0.0');
  expect(at('box-provider', 'acme/base/1.0.0/libvirt')).toBe('/local/boxes/owners/acme/base/versions/1.0.0');
  expect(at('organization-member', 'acme/olga')).toBe('/local/boxes/organizations/acme');
  expect(at('publish-run', 'pr_1')).toBe('/local/boxes/publish/pr_1');
  expect(at('move', 'mv_1')).toBe('/local/boxes/moves/mv_1');
  expect(at('box-settings', '')).toBe('/local/boxes/settings');
  expect(at('box-two-factor', 'olga', 'box-two-factor.reset')).toBe('/local/boxes/settings');
  expect(at('box-two-factor', '', 'box-two-factor.enable')).toBe('/local/boxes/account');
  expect(at('box', '')).toBeUndefined();
  expect(at('host-catalog', 'hc_1')).toBeUndefined();
});

test("modules and versions open the module's page, and tokens open the tokens", () => {
  const href = (kind: string, id: string) =>
    resourceHref({ action: `${kind}.update`, resource: { kind, id, name: '' } }, 'local');
  expect(href('module', 'acme/network/aws')).toBe('/local/modules/acme/network/aws');
  expect(href('module-version', 'acme/network/aws/1.2.0')).toBe(
    '/local/modules/acme/network/aws?version=1.2.0',
  );
  expect(href('module-token', 't1')).toBe('/local/modules/tokens');
});

test('cloud roles open their page, wherever the engine is mounted', () => {
  const href = (kind: string, id: string) =>
    resourceHref({ action: `${kind}.update`, resource: { kind, id, name: '' } }, 'local');
  expect(href('cloud-role', 'cloud/roles/deploy')).toBe('/local/cloud/cloud/roles/deploy');
  expect(href('cloud-lease', 'team/roles/aws/roles/a@b')).toBe('/local/cloud/team%2Froles%2Faws/roles/a%40b');
  expect(href('cloud-engine', 'team/aws')).toBe('/local/cloud/team%2Faws');
});
