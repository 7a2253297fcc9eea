import type { Body } from '../../core/body.ts';
import { textField, verbatimListField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import type { Plugin, PluginKey } from '../../domain/plugin/plugin.ts';
import { saysBuiltin } from '../../domain/plugin/version.ts';
import { versionOf } from '../../plugins/catalog.ts';

/** The members of a registration; `sha_256` is the former name of `sha256`. */
export const registrationFields = [
  'version',
  'sha256',
  'sha_256',
  'command',
  'args',
  'env',
  'oci_image',
  'runtime',
];

/** Parses a registration. @throws Refusal 400 with the first error */
export function registrationOf({ type, name }: Pick<PluginKey, 'type' | 'name'>, body: Body): Plugin {
  // The "@" separates a name from a version.
  if (name.includes('@')) throw badRequest('the name of a plugin must not have an "@"');
  const version = versionOf(textField(body, 'version') ?? '');
  if (saysBuiltin(version)) {
    throw badRequest(
      `version "${version}" is not allowed because 'builtin' is a reserved metadata identifier`,
    );
  }
  const sha256 = textField(body, 'sha256') || (textField(body, 'sha_256') ?? '');
  if (sha256 === '') throw badRequest('missing SHA-256 value');
  const image = textField(body, 'oci_image');
  const ociImage = image ?? '';
  // A command may include its arguments.
  const [command = '', ...behind] = (textField(body, 'command') ?? '').trim().split(' ');
  if (command === '' && ociImage === '') {
    throw badRequest(
      image === undefined ? 'missing command value' : 'must provide at least one of command or oci_image',
    );
  }
  const given = verbatimListField(body, 'args') ?? [];
  if (behind.length > 0 && given.length > 0)
    throw badRequest('must not specify args in command and args field');
  if (!/^(?:[0-9a-f]{2})+$/i.test(sha256)) throw badRequest('Could not decode SHA-256 value from Hex');
  const env = verbatimListField(body, 'env') ?? [];
  if (!env.every((entry) => entry.indexOf('=') > 0))
    throw badRequest('every env entry must have the form key=value');
  return {
    type,
    name,
    version,
    sha256: sha256.toLowerCase(),
    command,
    args: behind.length > 0 ? behind : given,
    env,
    ociImage,
    runtime: textField(body, 'runtime') ?? '',
  };
}
