import { describe, expect, test } from 'vitest';
import { testTarget } from '#components/targets/test-target.ts';
import { sourcesAsCode } from './$id/sources/sources-as-code.ts';
import { createTargetAsCode, updateTargetAsCode } from './target-as-code.ts';
import { blankTarget, newTargetBody } from './target-form.ts';

describe('creating a target', () => {
  const code = createTargetAsCode(
    newTargetBody({
      ...blankTarget('ssh', 'p_1234567890'),
      name: "ana's box",
      address: 'db.internal',
      attributes: {
        default_port: 2222,
        default_client_port: null,
        enable_session_recording: true,
        storage_bucket_id: '',
      },
    }),
  );

  test('writes a command', () => {
    expect(code.cli).toBe(
      [
        'boundary targets create ssh',
        '-scope-id=p_1234567890',
        String.raw`-name='ana'\''s box'`,
        '-address=db.internal',
        '-default-port=2222',
        '-enable-session-recording=true',
      ].join(' \\\n  '),
    );
  });

  test('writes a request with only the set fields', () => {
    expect(code.http).toContain('--request POST "$BOUNDARY_ADDR/v1/targets"');
    expect(code.http).toContain('"scope_id": "p_1234567890"');
    expect(code.http).not.toContain('description');
    expect(code.http).not.toContain('default_client_port');
  });

  test('writes a Terraform block', () => {
    expect(code.terraform).toBe(
      [
        'resource "boundary_target" "ana_s_box" {',
        '  scope_id                 = "p_1234567890"',
        '  type                     = "ssh"',
        '  name                     = "ana\'s box"',
        '  address                  = "db.internal"',
        '  default_port             = 2222',
        '  enable_session_recording = true',
        '}',
      ].join('\n'),
    );
  });

  test('leaves out empty fields', () => {
    const empty = createTargetAsCode(newTargetBody(blankTarget('tcp', '')));
    expect(empty.cli).toBe('boundary targets create tcp');
  });
});

const target = testTarget({
  revision: '3',
  description: 'old',
  attributes: { default_port: 22, default_client_port: 2222 },
});

test('an edit sends only changes, with null for cleared fields', () => {
  const code = updateTargetAsCode(target, { description: '', attributes: { default_client_port: null } });
  expect(code.cli).toBe(
    [
      'boundary targets update tcp',
      '-id=ttcp_1234567890',
      '-version=3',
      '-description=null',
      '-default-client-port=null',
    ].join(' \\\n  '),
  );
  expect(code.http).toContain('--request PATCH "$BOUNDARY_ADDR/v1/targets/ttcp_1234567890"');
  expect(code.http).toContain('"version": 3');
  expect(code.http).toContain('"description": null');
  expect(code.terraform).toContain('session_max_seconds      = 28800');
  expect(code.terraform).not.toContain('description');
});

test('setting credentials names every kind the target has, because a set clears the others', () => {
  const linked = {
    ...target,
    type: 'ssh',
    brokered_credential_source_ids: ['credup_1111111111'],
    injected_application_credential_source_ids: ['credspk_2222222222'],
  };
  const { cli, http } = sourcesAsCode(linked, {
    address: linked.address,
    host_source_ids: [],
    brokered_credential_source_ids: [],
    injected_application_credential_source_ids: ['credspk_2222222222'],
    application_credential_source_ids: [],
  });
  expect(cli).toBe(
    [
      'boundary targets set-credential-sources',
      '-id=ttcp_1234567890',
      '-version=3',
      '-brokered-credential-source=null',
      '-injected-application-credential-source=credspk_2222222222',
    ].join(' \\\n  '),
  );
  expect(http).toMatch(/"injected_application_credential_source_ids": \[\s*"credspk_2222222222"\s*\]/);
});
