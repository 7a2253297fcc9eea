import { invalidField } from '../refusal.ts';
import type { FieldFaults } from '../refusal.ts';
import { nameFault, secretFault } from '../text.ts';
import { credentialForms, optionalAttribute } from './credential.ts';
import type {
  Credential,
  CredentialType,
  PlainAttribute,
  SecretAttribute,
  SecretValue,
  SecretVault,
  Secrets,
} from './credential.ts';
import { passphraseFault } from './private-key.ts';

/** Attributes to set. A missing attribute keeps its value; null clears it. */
export type AttributesChange = Readonly<
  Partial<Record<PlainAttribute, string | null> & Record<SecretAttribute, SecretValue | null>>
>;

/** A credential without its label. */
export type CredentialContent = Pick<Credential, 'plain' | 'fingerprints' | 'sealed'>;

/** Adds a fault for each required attribute that a new credential lacks, and for each invalid one. */
export function checkNewAttributes(
  type: CredentialType,
  attributes: AttributesChange,
  faults: FieldFaults,
): void {
  const { plain, secret } = credentialForms[type];
  for (const name of [...plain, ...secret]) {
    if (name !== optionalAttribute && isBlank(attributes[name])) {
      faults.add(`attributes.${name}`, 'This is a required field.');
    }
  }
  checkValues(attributes, faults);
}

/** Adds a fault for each invalid attribute of a change, and for each required one that it clears. */
export function checkAttributesChange(attributes: AttributesChange, faults: FieldFaults): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== optionalAttribute && value !== undefined && isBlank(value)) {
      faults.add(`attributes.${name}`, 'This field cannot be set to empty.');
    }
  }
  checkValues(attributes, faults);
}

/**
 * The content of a new credential.
 * @param attributes already checked
 * @throws Refusal if its private key is encrypted and the passphrase doesn't decrypt it
 */
export function newContent(
  id: string,
  type: CredentialType,
  attributes: AttributesChange,
  vault: SecretVault,
): CredentialContent {
  return content(id, type, {}, {}, attributes, vault);
}

/**
 * The content of a credential after a change.
 * @param attributes already checked
 * @throws Refusal if its private key is encrypted and the passphrase doesn't decrypt it
 */
export function changedContent(
  current: Credential,
  attributes: AttributesChange,
  vault: SecretVault,
): CredentialContent {
  const { id, type, plain } = current;
  const touched = credentialForms[type].secret.some((name) => attributes[name] !== undefined);
  if (touched) return content(id, type, plain, vault.open(current), attributes, vault);
  const { fingerprints, sealed } = current;
  return { plain: changedPlain(type, plain, attributes), fingerprints, sealed };
}

function content(
  id: string,
  type: CredentialType,
  plain: Credential['plain'],
  secrets: Secrets,
  attributes: AttributesChange,
  vault: SecretVault,
): CredentialContent {
  const after: Partial<Record<SecretAttribute, SecretValue>> = {};
  const fingerprints: Partial<Record<SecretAttribute, string>> = {};
  for (const name of credentialForms[type].secret) {
    const given = attributes[name];
    const value = given === undefined ? secrets[name] : (given ?? undefined);
    if (value === undefined || isBlank(value)) continue;
    after[name] = value;
    fingerprints[name] = vault.fingerprint(id, name, value);
  }
  checkPassphrase(after);
  return { plain: changedPlain(type, plain, attributes), fingerprints, sealed: vault.seal(id, after) };
}

const passphraseFaults = {
  missing:
    'The private key is encrypted and requires its passphrase. Enter the passphrase, or use a key without one ("ssh-keygen -p" removes it).',
  wrong: "This passphrase doesn't decrypt the private key. Check the passphrase and the key.",
} as const;

function checkPassphrase({ private_key: key, private_key_passphrase: passphrase }: Secrets): void {
  if (typeof key !== 'string') return;
  const fault = passphraseFault(key, typeof passphrase === 'string' ? passphrase : undefined);
  if (fault !== undefined) throw invalidField('attributes.private_key_passphrase', passphraseFaults[fault]);
}

function changedPlain(
  type: CredentialType,
  before: Credential['plain'],
  attributes: AttributesChange,
): Credential['plain'] {
  const after = { ...before };
  for (const name of credentialForms[type].plain) {
    const given = attributes[name];
    if (typeof given === 'string') after[name] = given.trim();
  }
  return after;
}

function isBlank(value: SecretValue | null | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'string' ? value.trim() === '' : Object.keys(value).length === 0;
}

function checkValues(attributes: AttributesChange, faults: FieldFaults): void {
  for (const name of ['username', 'domain'] as const) {
    const fault = nameFault((attributes[name] ?? '').trim());
    if (fault !== undefined) faults.add(`attributes.${name}`, fault.replace('Name', 'This field'));
  }
  for (const name of ['password', 'private_key', 'private_key_passphrase', 'object'] as const) {
    const value = attributes[name] ?? '';
    const fault = secretFault(typeof value === 'string' ? value : JSON.stringify(value));
    if (fault !== undefined) faults.add(`attributes.${name}`, fault);
  }
  const { private_key: key } = attributes;
  if (typeof key === 'string' && !isBlank(key) && secretFault(key) === undefined && !pem.test(key)) {
    faults.add('attributes.private_key', 'Unable to parse given private key value: it is not PEM.');
  }
}

/** RFC 7468, and OpenSSH's own form. Only the delimiters are checked, not the key. */
const pem =
  /^\s*-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----\r?\n(?:[\w-]+: [^\r\n]*\r?\n)*\s*(?:[A-Za-z0-9+/=]+\s+)+-----END \1-----\s*$/;
