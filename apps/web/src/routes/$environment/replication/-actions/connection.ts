/** How a cluster reaches its new primary, as entered. Empty fields are left to the servers. */
import { readDuration } from '@gatehouse/api-types/console/read-duration';
import type { ActivationFields } from '#queries/replication.ts';

export type Connecting = Readonly<Required<ActivationFields>>;

export const connectingAsUsual: Connecting = { ttl: '', primary_api_addr: '', ca_file: '', ca_path: '' };

/** The entered fields without empty ones, trimmed. */
export function activationOf({ ttl, primary_api_addr, ca_file, ca_path }: Connecting): ActivationFields {
  return Object.fromEntries(
    Object.entries({ ttl, primary_api_addr, ca_file, ca_path })
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  );
}

/** What is wrong with the input, by field. */
export function problemsOfConnecting({ ttl, primary_api_addr, ca_file, ca_path }: Connecting) {
  const address = primary_api_addr.trim();
  return {
    ...(ttl.trim() !== '' && (readDuration(ttl) ?? 0) <= 0 && { ttl: 'Enter a duration such as 30m or 1h.' }),
    ...(address !== '' &&
      !/^https?:\/\/[^\s/]/.test(address) && {
        primary_api_addr: 'Enter an address such as https://vault-a.example:8200.',
      }),
    ...(ca_file.trim() !== '' &&
      ca_path.trim() !== '' && { ca_path: 'Enter a CA file or a CA directory, not both.' }),
  };
}
