import {
  beginTwoFactor,
  createBoxToken,
  deleteBoxToken,
  disableTwoFactor,
  enableTwoFactor,
  getBoxAccount,
  getBoxSettings,
  listBoxTokens,
  resetTwoFactor,
  updateBoxSettings,
  validateBoxToken,
  type BoxSettings,
  type BoxSettingsFields,
} from '@gatehouse/api-types/console/box-accounts';
/** The person's account at the box registry: tokens, the second factor; organizations with their members. */
import {
  addMember,
  changeMember,
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  removeMember,
  updateOrganization,
  type MemberRole,
  type NewOrganization,
  type Organization,
  type OrganizationFields,
} from '@gatehouse/api-types/console/box-organizations';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import type { LifeCalls } from './records.ts';

// A mutation keeps what it was called with until it is forgotten: at once, because passwords and tokens are in it.
const forgetAtOnce = { gcTime: 0 } as const;

const accountKey = (environment: string) => [environment, 'boxes', 'account'] as const;
const tokensKey = (environment: string) => [environment, 'boxes', 'tokens'] as const;

export const boxAccountQuery = (environment: string) =>
  queryOptions({
    queryKey: accountKey(environment),
    queryFn: ({ signal }) => call(getBoxAccount, { params: { environment }, signal }),
    staleTime: 60_000,
  });

// Tokens

/** The person's tokens without the tokens themselves; null where the registry does not list them. */
export const boxTokensQuery = (environment: string) =>
  queryOptions({
    queryKey: tokensKey(environment),
    queryFn: async ({ signal }) => (await call(listBoxTokens, { params: { environment }, signal })).tokens,
    staleTime: 10_000,
  });

export interface NewBoxToken {
  readonly password: string;
  readonly code?: string;
  readonly description: string;
}

/** Creates a token, which is the caller's to show once. */
export function useCreateBoxToken(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (body: NewBoxToken) => call(createBoxToken, { params: { environment }, body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: tokensKey(environment) });
    },
  });
}

export function useValidateBoxToken(environment: string) {
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (token: string) => call(validateBoxToken, { params: { environment }, body: { token } }),
  });
}

/** Deletes a token, given by itself or by its hash. */
export function useDeleteBoxToken(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (body: { token: string } | { token_hash: string }) =>
      call(deleteBoxToken, { params: { environment }, body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: tokensKey(environment) });
    },
  });
}

// The second factor

export function useBeginTwoFactor(environment: string) {
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (body: { password: string; phone?: string }) =>
      call(beginTwoFactor, { params: { environment }, body }),
  });
}

export function useEnableTwoFactor(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (code: string) => call(enableTwoFactor, { params: { environment }, body: { code } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: accountKey(environment) });
    },
  });
}

export function useDisableTwoFactor(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (body: { password: string; code: string }) =>
      call(disableTwoFactor, { params: { environment }, body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: accountKey(environment) });
    },
  });
}

/** Removes the second factor of somebody who lost it. */
export function useResetTwoFactor(environment: string) {
  return useMutation({
    mutationFn: (username: string) => call(resetTwoFactor, { params: { environment, username } }),
  });
}

// Settings of the registry

const settingsKey = (environment: string) => [environment, 'boxes', 'settings'] as const;

export const registrySettings: LifeCalls<BoxSettings, never, BoxSettingsFields, null> = {
  key: 'box-settings',
  touches: [],
  cache: {
    keyOf: settingsKey,
    keep: (queryClient, environment, settings) => {
      queryClient.setQueryData(settingsKey(environment), settings);
      void queryClient.invalidateQueries({ queryKey: accountKey(environment) });
    },
  },
  get: (environment, _, context) => call(getBoxSettings, { params: { environment }, ...context }),
  update: (environment, _, revision, body) =>
    call(updateBoxSettings, { params: { environment }, revision, body }),
};

// Organizations

const organizationsKey = (environment: string) => [environment, 'boxes', 'organizations'] as const;
const organizationKey = (environment: string, username: string) =>
  [environment, 'boxes', 'organization', username] as const;

export const organizationsQuery = (environment: string) =>
  queryOptions({
    queryKey: organizationsKey(environment),
    queryFn: async ({ signal }) =>
      (await call(listOrganizations, { params: { environment }, signal })).organizations,
    staleTime: 10_000,
  });

/** Where one may publish, what there is, and how it is shown elsewhere. */
function staleOrganizations(queryClient: QueryClient, environment: string): void {
  void queryClient.invalidateQueries({ queryKey: organizationsKey(environment) });
  void queryClient.invalidateQueries({ queryKey: accountKey(environment) });
  void queryClient.invalidateQueries({ queryKey: [environment, 'boxes', 'lists'] });
}

export const organizations: LifeCalls<Organization, NewOrganization, OrganizationFields> = {
  key: 'box-organizations',
  touches: [],
  cache: {
    keyOf: organizationKey,
    keep: (queryClient, environment, organization) => {
      queryClient.setQueryData(organizationKey(environment, organization.username), organization);
      staleOrganizations(queryClient, environment);
    },
    forget: (queryClient, environment, username) => {
      queryClient.removeQueries({ queryKey: organizationKey(environment, username) });
      staleOrganizations(queryClient, environment);
    },
  },
  get: (environment, username, context) =>
    call(getOrganization, { params: { environment, username }, ...context }),
  create: (environment, body) => call(createOrganization, { params: { environment }, body }),
  update: (environment, username, revision, body) =>
    call(updateOrganization, { params: { environment, username }, revision, body }),
  remove: async (environment, username, revision) => {
    await call(deleteOrganization, { params: { environment, username }, revision });
  },
};

// Members: the organization is loaded anew, because what one may do in it may have changed with them

export function useAddMember(environment: string, username: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { username: string; role: MemberRole }) =>
      call(addMember, { params: { environment, username }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: organizationKey(environment, username) }),
  });
}

export function useChangeMember(environment: string, username: string, member: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ revision, role }: { revision: string; role: MemberRole }) =>
      call(changeMember, { params: { environment, username, member }, revision, body: { role } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: organizationKey(environment, username) }),
  });
}

export function useRemoveMember(environment: string, username: string, member: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (revision: string) =>
      call(removeMember, { params: { environment, username, member }, revision }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: organizationKey(environment, username) }),
  });
}
