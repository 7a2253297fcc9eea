import { expect, test } from 'vitest';
import {
  fieldsOfProviderForm,
  formOfProvider,
  newBoxForm,
  providerChanges,
  providerForm,
} from './box-forms.ts';

const form = providerForm({ knowsArchitectures: true, isDefault: false });
const sha = 'AB'.repeat(32);

test('a checksum is sent with its type, and can be none', () => {
  const values = {
    name: 'libvirt',
    architecture: '',
    is_default: true,
    url: '',
    checksum_type: 'sha256',
    checksum: sha,
  } as const;
  expect(form.schema.safeParse(values)).toMatchObject({
    success: true,
    data: { checksum: sha.toLowerCase() },
  });
  expect(providerChanges({ checksum: sha }, values)).toEqual({ checksum: sha, checksum_type: 'sha256' });
  expect(providerChanges({ url: 'x' }, { ...values, url: 'x' })).toEqual({ url: 'x' });
  const none = { ...values, checksum_type: 'none' } as const;
  expect(fieldsOfProviderForm(none, true)).toMatchObject({ checksum: '', checksum_type: null });
  expect(formOfProvider({ ...values, checksum: '', checksum_type: null }).checksum_type).toBe('none');
});

test.each([
  [{ checksum_type: 'none', checksum: 'ab' }, 'Choose the checksum type.'],
  [{ checksum_type: 'md5', checksum: '' }, 'Enter the md5 checksum, or choose none.'],
  [{ checksum_type: 'md5', checksum: 'ab' }, 'The md5 checksum must have 32 hexadecimal digits.'],
  [{ checksum_type: 'md5', checksum: 'xyz' }, 'A checksum can only contain hexadecimal digits.'],
] as const)('shows the problem of a checksum at its field: %o', (checksum, message) => {
  const read = form.schema.safeParse({
    name: 'libvirt',
    architecture: 'arm64',
    is_default: false,
    url: '',
    ...checksum,
  });
  expect(read.error?.issues.find(({ path }) => path[0] === 'checksum')?.message).toBe(message);
});

test("an empty architecture is unknown, and isn't sent to a registry without architectures", () => {
  const values = {
    name: 'libvirt',
    architecture: ' ',
    is_default: false,
    url: '',
    checksum_type: 'none',
    checksum: '',
  } as const;
  expect(fieldsOfProviderForm(values, true)).toMatchObject({ architecture: 'unknown', is_default: false });
  const arm = { ...values, architecture: 'arm64' };
  expect(fieldsOfProviderForm(arm, true).architecture).toBe('arm64');
  expect(fieldsOfProviderForm(arm, false)).toMatchObject({ architecture: 'unknown', is_default: true });
  expect(formOfProvider(fieldsOfProviderForm(values, true)).architecture).toBe('');
  const paths = ({ sections }: typeof form) =>
    sections.flatMap(({ fields }) => fields.map(({ path }) => path));
  expect(paths(form)).toContain('architecture');
  expect(paths(providerForm({ knowsArchitectures: false, isDefault: true }))).not.toContain('architecture');
});

test('offers a list of owners if the registry reports all, else a text field', () => {
  const input = (owners: Parameters<typeof newBoxForm>[0]) =>
    newBoxForm(owners).sections[0]?.fields.find(({ path }) => path === 'username')?.input.kind;
  expect(input([{ value: 'acme', label: 'acme' }])).toBe('search');
  expect(input(null)).toBe('text');
});
