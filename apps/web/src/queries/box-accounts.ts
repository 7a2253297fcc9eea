/** The user's account at the box registry (tokens, second factor); organizations and their members. */
import * as at from '@gatehouse/api-types/console/addresses/boxes';
import type { BoxSettings, BoxSettingsFields } from '@gatehouse/api-types/console/box-accounts';
import type {
  MemberRole,
  NewOrganization,
  Organization,
  OrganizationFields,
} from '@gatehouse/api-types/console/box-organizations';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import type { LifeCalls } from './records.ts';

// A mutation keeps its variables until it is collected: at once, because they hold passwords and tokens.
const forgetAtOnce = { gcTime: 0 } as const;

const accountKey = (environment: string) => [environment, 'boxes', 'account'] as const;
const tokensKey = (environment: string) => [environment, 'boxes', 'tokens'] as const;

export const boxAccountQuery = (environment: string) =>
  queryOptions({
    queryKey: accountKey(environment),
    queryFn: ({ signal }) => call(at.boxAccount.get, { params: { environment }, signal }),
    staleTime: 60_000,
  });

// Tokens

/** The user's tokens, without their values; null if the registry doesn't list them. */
export const boxTokensQuery = (environment: string) =>
  queryOptions({
    queryKey: tokensKey(environment),
    queryFn: async ({ signal }) =>
      (await call(at.boxTokens.list, { params: { environment }, signal })).tokens,
    staleTime: 10_000,
  });

export interface NewBoxToken {
  readonly password: string;
  readonly code?: string;
  readonly description: string;
}

/** Creates a token. Only the caller has its value, and shows it once. */
export function useCreateBoxToken(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (body: NewBoxToken) => call(at.boxTokens.create, { params: { environment }, body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: tokensKey(environment) });
    },
  });
}

export function useValidateBoxToken(environment: string) {
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (token: string) => call(at.boxTokens.validate, { params: { environment }, body: { token } }),
  });
}

/** Deletes a token, given by its value or hash. */
export function useDeleteBoxToken(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (body: { token: string } | { token_hash: string }) =>
      call(at.boxTokens.delete, { params: { environment }, body }),
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
      call(at.boxTwoFactor.begin, { params: { environment }, body }),
  });
}

export function useEnableTwoFactor(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (code: string) => call(at.boxTwoFactor.enable, { params: { environment }, body: { code } }),
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
      call(at.boxTwoFactor.disable, { params: { environment }, body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: accountKey(environment) });
    },
  });
}

/** Removes the second factor of a user who lost it. */
export function useResetTwoFactor(environment: string) {
  return useMutation({
    mutationFn: (username: string) => call(at.boxTwoFactor.reset, { params: { environment, username } }),
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
      putAnswer(queryClient, settingsKey(environment), settings);
      void queryClient.invalidateQueries({ queryKey: accountKey(environment) });
    },
  },
  get: (environment, _, context) => call(at.boxSettings.get, { params: { environment }, ...context }),
  update: (environment, _, guard, body) =>
    call(at.boxSettings.update, { params: { environment }, ...guard, body }),
};

// Organizations

const organizationsKey = (environment: string) => [environment, 'boxes', 'organizations'] as const;
const organizationKey = (environment: string, username: string) =>
  [environment, 'boxes', 'organization', username] as const;

export const organizationsQuery = (environment: string) =>
  queryOptions({
    queryKey: organizationsKey(environment),
    queryFn: async ({ signal }) =>
      (await call(at.organizations.list, { params: { environment }, signal })).organizations,
    staleTime: 10_000,
  });

/** Invalidates the list, the organization, and the account, which says where the user may publish. */
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
      putAnswer(queryClient, organizationKey(environment, organization.username), organization);
      staleOrganizations(queryClient, environment);
    },
    forget: (queryClient, environment, username) => {
      queryClient.removeQueries({ queryKey: organizationKey(environment, username) });
      staleOrganizations(queryClient, environment);
    },
  },
  get: (environment, username, context) =>
    call(at.organizations.get, { params: { environment, username }, ...context }),
  create: (environment, body, decided) =>
    call(at.organizations.create, { params: { environment }, body, ...decided }),
  update: (environment, username, guard, body) =>
    call(at.organizations.update, { params: { environment, username }, ...guard, body }),
  remove: {
    harm: at.organizations.delete.harm,
    run: (environment, username, revision) =>
      call(at.organizations.delete, { params: { environment, username }, revision }),
  },
};

// Members: the organization is reloaded, because the user's permissions in it may have changed too

export function useAddMember(environment: string, username: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { username: string; role: MemberRole }) =>
      call(at.organizationMembers.add, { params: { environment, username }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: organizationKey(environment, username) }),
  });
}

export function useChangeMember(environment: string, username: string, member: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ revision, role }: { revision: string; role: MemberRole }) =>
      call(at.organizationMembers.change, {
        params: { environment, username, member },
        revision,
        body: { role },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: organizationKey(environment, username) }),
  });
}

export function useRemoveMember(environment: string, username: string, member: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (revision: string) =>
      call(at.organizationMembers.remove, { params: { environment, username, member }, revision }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: organizationKey(environment, username) }),
  });
}
