/** The types of credentials in words. */
import type { CredentialType } from '@gatehouse/api-types/console/credential-sources';

export const typeLabels: Readonly<Record<CredentialType, { label: string; description: string }>> = {
  username_password: { label: 'User name and password', description: 'For databases and logins' },
  username_password_domain: { label: 'With a domain', description: 'User name, domain and password' },
  password: { label: 'Password', description: 'A password alone' },
  ssh_private_key: { label: 'SSH private key', description: 'With its passphrase, if it has one' },
  json: { label: 'JSON', description: 'Any object of values' },
};

/** A type of the controller in words. */
export function typeLabel(type: string): string {
  return Object.entries(typeLabels).find(([known]) => known === type)?.[1].label ?? type;
}
