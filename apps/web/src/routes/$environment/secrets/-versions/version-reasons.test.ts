import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { describe, expect, test } from 'vitest';
import {
  reasonAgainstComparing,
  reasonAgainstDeleting,
  reasonAgainstDestroying,
  reasonAgainstRestoring,
  reasonAgainstUndeleting,
} from './version-reasons.ts';

const row = (
  version: number,
  state: 'readable' | 'scheduled' | 'deleted' | 'destroyed',
  isCurrent = false,
) => ({
  version,
  state,
  isCurrent,
});
const all: SecretMay = {
  list: true,
  read: true,
  read_structure: true,
  create: true,
  update: true,
  patch: true,
  delete: true,
  delete_versions: true,
  undelete: true,
  destroy: true,
  read_metadata: true,
  write_metadata: true,
  patch_metadata: true,
  delete_forever: true,
};

describe('reasons against actions', () => {
  test('compare requires two readable versions', () => {
    expect(reasonAgainstComparing([row(2, 'readable'), row(1, 'scheduled')])).toBeUndefined();
    expect(reasonAgainstComparing([row(1, 'readable')])).toContain('two');
    expect(reasonAgainstComparing([row(2, 'deleted'), row(1, 'destroyed')])).toContain('versions 1 and 2');
  });

  test('restore requires an older version, and permission to read and write', () => {
    expect(reasonAgainstRestoring(row(1, 'readable'), all)).toBeUndefined();
    expect(reasonAgainstRestoring(row(2, 'readable', true), all)).toContain('current');
    expect(reasonAgainstRestoring(row(1, 'deleted'), all)).toContain('Undelete it');
    expect(reasonAgainstRestoring(row(1, 'readable'), { ...all, read: false })).toContain('read');
    expect(reasonAgainstRestoring(row(1, 'readable'), { ...all, update: false })).toContain(
      'create new versions',
    );
    expect(reasonAgainstRestoring(row(1, 'readable'), null)).toBeUndefined();
  });

  test('delete, undelete and destroy require at least one possible version', () => {
    const mixed = [row(3, 'readable', true), row(2, 'deleted'), row(1, 'destroyed')];
    for (const reason of [reasonAgainstDeleting, reasonAgainstUndeleting, reasonAgainstDestroying]) {
      expect(reason(mixed, all)).toBeUndefined();
      expect(reason(mixed, null)).toBeUndefined();
      expect(reason([], all)).toBe('Choose versions first.');
      expect(reason([row(1, 'destroyed')], all)).toBeDefined();
      expect(reason(mixed, { ...all, delete_versions: false, undelete: false, destroy: false })).toContain(
        'policies',
      );
    }
    expect(reasonAgainstDestroying([row(2, 'deleted')], all)).toBeUndefined();
    expect(reasonAgainstUndeleting([row(2, 'readable')], all)).toBeDefined();
  });
});
