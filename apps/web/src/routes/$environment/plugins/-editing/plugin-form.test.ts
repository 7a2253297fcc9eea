import { newPlugin, pluginFields } from '@gatehouse/api-types/console/plugins';
import { expect, test } from 'vitest';
import {
  blankPlugin,
  envProblem,
  fieldsOfForm,
  formOfPlugin,
  newPluginForm,
  newPluginOf,
} from './plugin-form.ts';

const hex = '0f'.repeat(32);
const filled = { ...blankPlugin, type: 'secret' as const, name: 'mine', sha256: hex, command: 'mine' };

const problems = (form: typeof blankPlugin): Record<string, string> =>
  Object.fromEntries(
    (newPluginForm(form.way).schema.safeParse(form).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ]),
  );

test('the required fields depend on whether it runs a binary or an image', () => {
  expect(problems(blankPlugin)).toEqual({
    type: 'Choose a type.',
    name: 'A plugin needs a name.',
    sha256: 'Choose the binary, or enter its SHA-256.',
    command: 'Enter the file name of the binary in the plugin directory.',
  });
  expect(problems({ ...filled, way: 'image', command: '' })).toEqual({
    oci_image: 'Enter the image, without its tag.',
  });
  expect(problems({ ...filled, way: 'image', oci_image: 'acme/mine', sha256: '' })).toEqual({
    sha256: 'Enter the SHA-256 of the image.',
  });
  expect(problems({ ...filled, env: { 'A B': '1' } })).toEqual({
    env: "A B: names can't contain spaces or equals signs.",
  });
  expect(problems(filled)).toEqual({});
});

test('sends a hex hash, only the chosen program, and an environment only if entered', () => {
  const base64 = btoa('\u000f'.repeat(32));
  const form = { ...filled, sha256: base64, oci_image: 'left/over', runtime: 'runsc', env: { TOKEN: 'a=b' } };
  const sent = newPluginOf(form);
  expect(newPlugin.safeParse(sent).success).toBe(true);
  expect(sent).toMatchObject({ sha256: hex, oci_image: '', runtime: '', env: ['TOKEN=a=b'] });
  expect(newPluginOf({ ...form, way: 'image' })).toMatchObject({ oci_image: 'left/over', runtime: 'runsc' });
  const { type: _, name: _name, version: _version, ...program } = filled;
  expect(fieldsOfForm(program)).not.toHaveProperty('env');
});

test('the hash of a new registration is required, for binaries and images', () => {
  for (const way of ['binary', 'image'] as const) {
    const fields = newPluginForm(way).sections.flatMap((section) => section.fields);
    expect(fields.find(({ path }) => path === 'sha256')?.isRequired).toBe(true);
  }
});

test('a stored registration survives the form unchanged', () => {
  for (const stored of [
    { sha256: hex, command: 'mine', args: ['--x', '--x'], oci_image: '', runtime: '' },
    { sha256: hex, command: '', args: [], oci_image: 'acme/mine', runtime: 'runsc' },
  ]) {
    expect(fieldsOfForm(formOfPlugin(stored))).toEqual(stored);
    expect(pluginFields.safeParse(fieldsOfForm(formOfPlugin(stored))).success).toBe(true);
  }
});

test("an environment name can't be listed twice", () => {
  expect(envProblem({ TOKEN: '', OTHER: '' })).toBeUndefined();
  expect(envProblem({ TOKEN: '', 'TOKEN\u00002': '' })).toBe('TOKEN is listed twice.');
  expect(envProblem({ '': 'x' })).toBe('Enter a name for each value.');
});
