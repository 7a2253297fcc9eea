/** What a session's credentials hold, as it is shown. */
import type { SessionCredential } from '@gatehouse/api-types/console/access-sessions';
import type { Target } from '@gatehouse/api-types/console/targets';

export interface CredentialField {
  readonly label: string;
  readonly text: string;
  /** Masked until it is revealed. */
  readonly isSecret: boolean;
}

const plainFields = new Set(['username', 'domain']);

/** The fields of a typed credential, else of its decoded value, else the value as it came; none for what is injected. */
export function credentialFields({ credential, secret }: SessionCredential): readonly CredentialField[] {
  const typed = Object.entries(credential);
  if (typed.length > 0) {
    return typed.map(([name, text]) => ({
      label: wordsOf(name),
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

/** Whether a source hands its credential to the person, or to the worker that enters it. */
export function purposeOf(
  target: Pick<Target, 'injected_application_credential_sources'> | undefined,
  source: string,
): 'brokered' | 'injected' {
  return target?.injected_application_credential_sources.some(({ id }) => id === source) === true
    ? 'injected'
    : 'brokered';
}

function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
