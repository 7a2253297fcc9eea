import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  fieldsOfTarget,
  targets,
  newTarget,
  targetChanges,
  targetFields,
  targetPolicy,
  type Target,
} from './targets.ts';

z.config(z.locales.en());

const fields = {
  name: 'db',
  description: '',
  address: '',
  session_max_seconds: 28_800,
  session_connection_limit: -1,
  worker_filter: '',
  egress_worker_filter: '',
  ingress_worker_filter: '',
  attributes: { default_port: 22, default_client_port: null },
};

/** The first message about a value; undefined if it is accepted. */
const messageAbout = (schema: z.ZodMiniType, value: unknown): string | undefined =>
  z.safeParse(schema, value).error?.issues[0]?.message;

describe('limits, with values on either side', () => {
  test.each([
    ['a name of 512', { name: 'x'.repeat(512) }, undefined],
    ['a name of 513', { name: 'x'.repeat(513) }, 'A name must be 512 characters or fewer.'],
    ['a name of 1', { name: 'x' }, undefined],
    ['no name', { name: '' }, 'A target needs a name.'],
    ['a name of spaces', { name: '   ' }, 'A target needs a name.'],
    [
      'a name with a line break',
      { name: 'a\nb' },
      'A name can only contain printable characters. Remove line breaks and control characters.',
    ],
    [
      'a name with an invisible mark',
      { name: 'a\u202eb' },
      'A name can only contain printable characters. Remove line breaks and control characters.',
    ],
    [
      'a blank name',
      { name: '\u3164' },
      'A name can only contain printable characters. Remove line breaks and control characters.',
    ],
    ['a name in any script', { name: 'База данных 数据库 😀' }, undefined],
    ['a description of 4096', { description: 'x'.repeat(4096) }, undefined],
    [
      'a description of 4097',
      { description: 'x'.repeat(4097) },
      'A description must be 4,096 characters or fewer.',
    ],
    ['1 second', { session_max_seconds: 1 }, undefined],
    ['0 seconds', { session_max_seconds: 0 }, 'Enter a whole number of seconds from 1 to 2,147,483,647.'],
    ['2^31-1 seconds', { session_max_seconds: 2_147_483_647 }, undefined],
    [
      '2^31 seconds',
      { session_max_seconds: 2_147_483_648 },
      'Enter a whole number of seconds from 1 to 2,147,483,647.',
    ],
    [
      'half a second',
      { session_max_seconds: 0.5 },
      'Enter a whole number of seconds from 1 to 2,147,483,647.',
    ],
    ['-1 connections', { session_connection_limit: -1 }, undefined],
    [
      '0 connections',
      { session_connection_limit: 0 },
      'Enter -1 for no limit, or a whole number, 1 or greater.',
    ],
    [
      '-2 connections',
      { session_connection_limit: -2 },
      'Enter -1 for no limit, or a whole number, 1 or greater.',
    ],
    ['1 connection', { session_connection_limit: 1 }, undefined],
    ['2^31-1 connections', { session_connection_limit: 2_147_483_647 }, undefined],
    [
      '2^31 connections',
      { session_connection_limit: 2_147_483_648 },
      'Enter -1 for no limit, or a whole number, 1 or greater.',
    ],
    ['port 1', { attributes: { default_port: 1, default_client_port: 65_535 } }, undefined],
    [
      'port 0',
      { attributes: { default_port: 0, default_client_port: null } },
      'A port is a whole number from 1 to 65535.',
    ],
    [
      'port 65536',
      { attributes: { default_port: null, default_client_port: 65_536 } },
      'A port is a whole number from 1 to 65535.',
    ],
    [
      'a port as text',
      { attributes: { default_port: '22', default_client_port: null } },
      'A port is a whole number from 1 to 65535.',
    ],
    [
      'an address with a port',
      { address: 'db:22' },
      'Leave out the port: it is set on the target, as its default port.',
    ],
    ['a filter of 4096', { worker_filter: 'x'.repeat(4096) }, undefined],
    [
      'a filter of 4097',
      { egress_worker_filter: 'x'.repeat(4097) },
      'A filter must be 4,096 characters or fewer.',
    ],
  ])('%s', (_what, changed, message) => {
    expect(messageAbout(targetFields, { ...fields, ...changed })).toBe(message);
    expect(messageAbout(targetChanges, changed)).toBe(message);
  });

  test('writes every message as a sentence', () => {
    for (const [name, value] of [
      ['name', 1],
      ['description', null],
      ['address', 1],
      ['worker_filter', 1],
      ['attributes', 1],
    ] as const) {
      expect(messageAbout(targetFields, { ...fields, [name]: value })).toMatch(/^[A-Z].{10,}/);
    }
  });
});

describe('a new target', () => {
  test('requires only project, type and name', () => {
    expect(z.parse(newTarget, { scope_id: 'p_1234567890', type: 'ssh', name: ' db ' })).toEqual({
      scope_id: 'p_1234567890',
      type: 'ssh',
      name: 'db',
    });
    expect(messageAbout(newTarget, { scope_id: 'o_1234567890', type: 'ssh', name: 'db' })).toBe(
      'Choose the project that will hold the target.',
    );
    expect(messageAbout(newTarget, { scope_id: 'p_1234567890', type: 'vnc', name: 'db' })).toMatch(/tcp/);
    expect(messageAbout(newTarget, { scope_id: 'p_1234567890', type: 'ssh' })).toBeDefined();
  });

  test('refuses unknown fields', () => {
    expect(
      z.safeParse(newTarget, { scope_id: 'p_1234567890', type: 'ssh', name: 'db', version: 1 }).success,
    ).toBe(false);
    expect(
      z.safeParse(newTarget, { scope_id: 'p_1234567890', type: 'ssh', name: 'db', attributes: { port: 1 } })
        .success,
    ).toBe(false);
  });
});

describe('changes', () => {
  test("restores default limits and clears ports with null, but can't clear the name", () => {
    expect(
      z.safeParse(targetChanges, {
        session_max_seconds: null,
        session_connection_limit: null,
        attributes: { default_client_port: null },
      }).success,
    ).toBe(true);
    expect(z.safeParse(targetChanges, { name: null }).success).toBe(false);
    expect(z.safeParse(targetChanges, { name: '' }).success).toBe(false);
    expect(z.safeParse(targetChanges, { type: 'ssh' }).success).toBe(false);
  });
});

test('parses the query of a list from text', () => {
  expect(z.parse(targets.list.query, { scope_id: 'global', recursive: 'true', page_size: '1000' })).toEqual({
    scope_id: 'global',
    recursive: true,
    page_size: 1000,
  });
  for (const page_size of ['0', '1001', '1.5', 'x', '']) {
    expect(z.safeParse(targets.list.query, { scope_id: 'global', page_size }).success, page_size).toBe(false);
  }
});

test("fits a stored target's editable fields to the form, and has a merge policy for each", () => {
  const stored: Target = {
    ...fields,
    id: 'ttcp_1234567890',
    revision: '1',
    scope_id: 'p_1234567890',
    scope: {
      id: 'p_1234567890',
      type: 'project',
      name: '',
      description: '',
      parent_scope_id: 'o_1234567890',
    },
    type: 'ssh',
    created_time: '',
    updated_time: '',
    host_source_ids: [],
    application_credential_source_ids: [],
    brokered_credential_source_ids: [],
    injected_application_credential_source_ids: [],
    host_sources: [],
    application_credential_sources: [],
    brokered_credential_sources: [],
    injected_application_credential_sources: [],
    authorized_actions: [],
  };
  expect(Object.keys(fieldsOfTarget(stored).attributes)).toHaveLength(4);
  expect(fieldsOfTarget({ ...stored, type: 'tcp' })).toEqual(fields);
  expect(z.safeParse(targetFields, fieldsOfTarget(stored)).success).toBe(true);
  for (const name of Object.keys(fields)) expect(Object.keys(targetPolicy.fields)).toContain(name);
});
