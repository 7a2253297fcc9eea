/** How to show credential stores, credentials and libraries. */
import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import type { Credential, CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { CredentialSourceIcon } from '@gatehouse/ui/icon';
import { nameOrId } from '#components/record/record-kind.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { credentials, credentialStores } from '#queries/credential-sources.ts';

export const shownStores = {
  calls: credentialStores,
  noun: 'credential store',
  many: 'credential stores',
  title: 'Credential sources',
  path: 'credential-sources',
  icon: CredentialSourceIcon,
  nameOf: (item: CredentialStore): string => nameOrId(item),
};

export const shownCredentials = {
  calls: credentials,
  noun: 'credential',
  icon: CredentialSourceIcon,
  nameOf: (item: Credential): string => nameOrId(item),
};

export const shownLibraries = {
  calls: credentialLibraries,
  noun: 'credential library',
  icon: CredentialSourceIcon,
  nameOf: (item: CredentialLibrary): string => nameOrId(item),
};
