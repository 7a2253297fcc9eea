/** Credential types in words. */
import type { CredentialType } from '@gatehouse/api-types/console/credential-sources';

export const typeLabels: Readonly<Record<CredentialType, { label: string; description: string }>> = {
  username_password: { label: 'User name and password', description: 'For databases and logins' },
  username_password_domain: {
    label: 'User name, password and domain',
    description: 'For accounts in a domain',
  },
  password: { label: 'Password', description: 'A password without a user name' },
  ssh_private_key: { label: 'SSH private key', description: 'With its passphrase, if it has one' },
  json: { label: 'JSON', description: 'Any JSON object' },
};

/** A type in words; libraries may have none. */
export function typeLabel(type: string): string {
  if (type === '') return 'Unspecified';
  return Object.entries(typeLabels).find(([known]) => known === type)?.[1].label ?? type;
}

/** Whether a worker can inject a credential: not JSON, nor a password without a user name. */
export function mayBeInjected(choice: {
  readonly credential_type: string;
  readonly credential_store_type: string;
}): boolean {
  return choice.credential_store_type === 'vault' || !['json', 'password'].includes(choice.credential_type);
}

/** A target's source in words, with its store. */
export function sourceDetail(choice: {
  readonly id: string;
  readonly credential_type: string;
  readonly credential_store_id: string;
  readonly credential_store_name: string;
  readonly credential_store_type: string;
}): string {
  const type = typeLabel(choice.credential_type);
  return [
    choice.credential_store_type === 'vault' ? `Library: ${type.toLowerCase()}` : type,
    choice.credential_store_name || choice.credential_store_id,
    choice.id,
  ].join(' · ');
}

/** A credential's attribute in words. */
export function attributeLabel(name: string): string {
  const words = name === 'username' ? 'user name' : name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
