/** Lists the fields of a session's credentials. */
import type { SessionCredential } from '@gatehouse/api-types/console/access-sessions';

export interface CredentialField {
  readonly label: string;
  readonly text: string;
  /** Masked until it is revealed. */
  readonly isSecret: boolean;
}

const plainFields = new Set(['username', 'domain']);

/** The fields of a typed credential, else of its decoded value, else the raw value; none without a value. */
export function credentialFields({
  credential_source: { credential_type: type },
  credential,
  secret,
}: SessionCredential): readonly CredentialField[] {
  const typed = Object.entries(credential);
  if (typed.length > 0) {
    return typed.map(([name, text]) => ({
      // The user chose the names in JSON, so they stay unchanged.
      label: type === 'json' ? name : wordsOf(name),
      text,
      isSecret: !plainFields.has(name),
    }));
  }
  if (secret === null) return [];
  if (secret.decoded !== null) {
    return Object.entries(secret.decoded).map(([label, text]) => ({ label, text, isSecret: true }));
  }
  return [{ label: 'Value (base64)', text: secret.raw, isSecret: true }];
}

function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
