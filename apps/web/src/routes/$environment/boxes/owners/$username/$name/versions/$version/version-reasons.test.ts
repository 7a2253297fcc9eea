import { expect, test } from 'vitest';
import { reasonAgainstReleasing, reasonAgainstRevoking } from './version-reasons.ts';

test('a version can be released once, with an image, and revoked once', () => {
  const at = (status: string, ...available: readonly boolean[]) => ({
    version: '1.1.0',
    revision: '',
    whole_revision: '',
    description: '',
    created_time: '',
    updated_time: '',
    status,
    providers: available.map((is) => ({
      name: 'x',
      available: is,
      size: null,
      revision: '',
      url: '',
      hosted: true,
      checksum: '',
      checksum_type: null,
      architecture: null,
      is_default: null,
      download_url: '',
      downloads: null,
      created_time: '',
      updated_time: '',
    })),
  });
  expect(reasonAgainstReleasing(at('unreleased', false, true))).toBeUndefined();
  expect(reasonAgainstReleasing(at('unreleased', false))).toMatch(/has an image/);
  expect(reasonAgainstReleasing(at('unreleased'))).toMatch(/no provider/);
  expect(reasonAgainstReleasing(at('active', true))).toMatch(/already/);
  expect(reasonAgainstReleasing(at('revoked', true))).toMatch(/permanently/);
  expect(reasonAgainstRevoking(at('active', true))).toBeUndefined();
  expect(reasonAgainstRevoking(at('unreleased', true))).toBeDefined();
  expect(reasonAgainstRevoking(at('revoked', true))).toBeDefined();
});
