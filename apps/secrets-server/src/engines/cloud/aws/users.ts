import {
  AddUserToGroupCommand,
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeactivateMFADeviceCommand,
  DeleteAccessKeyCommand,
  DeleteLoginProfileCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  DetachUserPolicyCommand,
  GetUserCommand,
  PutUserPolicyCommand,
  RemoveUserFromGroupCommand,
  paginateListAccessKeys,
  paginateListAttachedUserPolicies,
  paginateListGroupsForUser,
  paginateListMFADevices,
  paginateListUserPolicies,
} from '@aws-sdk/client-iam';
import type { IAMClient } from '@aws-sdk/client-iam';
import { ProviderFault } from '../provider.ts';
import type { AccessKey, NewUser } from '../provider.ts';
import { call, callUnlessGone, isGone, keyIn } from './call.ts';

/** Returns the options with a call's time limit. */
export type Deadline = () => { readonly abortSignal: AbortSignal };

/** Creates a user and returns the ARN. @throws ProviderFault */
export async function createUser(iam: IAMClient, until: Deadline, user: NewUser): Promise<string> {
  const { userName: UserName, path, permissionsBoundaryArn, tags } = user;
  const command = new CreateUserCommand({
    UserName,
    ...(path !== '' && { Path: path }),
    ...(permissionsBoundaryArn !== '' && { PermissionsBoundary: permissionsBoundaryArn }),
    ...(Object.keys(tags).length > 0 && {
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }),
  });
  try {
    const { User } = await call('Error creating IAM user', iam.send(command, until()));
    return User?.Arn ?? '';
  } catch (error) {
    // The name is new and unique, so unless the first attempt was refused, an earlier attempt created the user and its
    // answer was lost.
    const ours =
      error instanceof ProviderFault && error.code === 'EntityAlreadyExists' && !error.refusedAtOnce;
    if (!ours) throw error;
    const found = await iam.send(new GetUserCommand({ UserName }), until()).catch(() => {
      // Throws the original error, because an error of GetUser would look as if nothing was created.
      throw error;
    });
    return found.User?.Arn ?? '';
  }
}

/** Adds a user's policies and groups. @throws ProviderFault */
export async function equipUser(iam: IAMClient, until: Deadline, user: NewUser): Promise<void> {
  const { userName: UserName, policyArns, policyDocument, groups } = user;
  for (const PolicyArn of policyArns) {
    const attach = new AttachUserPolicyCommand({ UserName, PolicyArn });
    await call('Error attaching user policy', iam.send(attach, until()));
  }
  if (policyDocument !== '') {
    const put = new PutUserPolicyCommand({ UserName, PolicyName: UserName, PolicyDocument: policyDocument });
    await call('Error putting user policy', iam.send(put, until()));
  }
  for (const GroupName of groups) {
    const add = new AddUserToGroupCommand({ UserName, GroupName });
    await call('Error adding user to group', iam.send(add, until()));
  }
}

/** Creates a key, and returns the number of attempts too. @throws ProviderFault */
export async function createAccessKey(
  iam: IAMClient,
  until: Deadline,
  UserName: string,
): Promise<AccessKey & { readonly attempts: number }> {
  const command = new CreateAccessKeyCommand({ UserName });
  const doing = 'Error creating access keys';
  const { AccessKey, $metadata } = await call(doing, iam.send(command, until()));
  return { ...keyIn(doing, AccessKey), attempts: $metadata.attempts ?? 1 };
}

/** Lists a user's keys. @throws ProviderFault */
export async function listAccessKeys(
  iam: IAMClient,
  until: Deadline,
  UserName: string,
): Promise<{ readonly id: string; readonly createdTime: number }[]> {
  const pages = paginateListAccessKeys({ client: iam }, { UserName }, until());
  const keys = await call(
    'error calling ListAccessKeys',
    all(pages, (page) => page.AccessKeyMetadata),
  );
  return keys.map(({ AccessKeyId = '', CreateDate }) => ({
    id: AccessKeyId,
    createdTime: CreateDate?.getTime() ?? 0,
  }));
}

/** Deletes a key and returns whether it existed. @throws ProviderFault */
export async function deleteAccessKey(
  iam: IAMClient,
  until: Deadline,
  UserName: string,
  AccessKeyId: string,
): Promise<boolean> {
  const command = new DeleteAccessKeyCommand({ UserName, AccessKeyId });
  const answer = await callUnlessGone('error calling DeleteAccessKey', iam.send(command, until()));
  return answer !== undefined;
}

/**
 * Deletes a user with everything attached, and returns whether the user existed. Tries every part even if others fail,
 * so that each attempt leaves less for the next one, unless the first call gets no answer. A user with nothing attached
 * takes one call.
 * @throws ProviderFault
 */
export async function removeUser(iam: IAMClient, until: Deadline, UserName: string): Promise<boolean> {
  const doing = 'Error removing IAM user';
  const on = { UserName };
  const paging = { client: iam };
  const remove = () => call(doing, iam.send(new DeleteUserCommand(on), until()));
  /** Lists the attached objects of one kind and removes each. */
  const takeOff = async <Item>(
    items: Promise<readonly Item[]>,
    off: (item: Item) => Promise<unknown>,
  ): Promise<void> => {
    for (const item of await call(doing, items)) await callUnlessGone(doing, off(item));
  };
  try {
    await remove();
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    if (error instanceof ProviderFault && error.unanswered) throw error;
  }
  const results = await Promise.allSettled<unknown>([
    takeOff(listAccessKeys(iam, until, UserName), ({ id }) => deleteAccessKey(iam, until, UserName, id)),
    takeOff(
      all(paginateListGroupsForUser(paging, on, until()), (page) => page.Groups),
      ({ GroupName }) => iam.send(new RemoveUserFromGroupCommand({ ...on, GroupName }), until()),
    ),
    takeOff(
      all(paginateListAttachedUserPolicies(paging, on, until()), (page) => page.AttachedPolicies),
      ({ PolicyArn }) => iam.send(new DetachUserPolicyCommand({ ...on, PolicyArn }), until()),
    ),
    takeOff(
      all(paginateListUserPolicies(paging, on, until()), (page) => page.PolicyNames),
      (PolicyName) => iam.send(new DeleteUserPolicyCommand({ ...on, PolicyName }), until()),
    ),
  ]);
  try {
    const refusal = await remove().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal === undefined) return true;
    const isConflict = refusal instanceof ProviderFault && refusal.code === 'DeleteConflict';
    if (isConflict)
      // Someone with the user's keys may have added a password and devices. These calls need extra permissions, so they
      // are made only after a conflict.
      results.push(
        ...(await Promise.allSettled([
          callUnlessGone(doing, iam.send(new DeleteLoginProfileCommand(on), until())),
          takeOff(
            all(paginateListMFADevices(paging, on, until()), (page) => page.MFADevices),
            ({ SerialNumber }) => iam.send(new DeactivateMFADeviceCommand({ ...on, SerialNumber }), until()),
          ),
        ])),
      );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    if (!isConflict) throw refusal;
    await remove();
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** The maximum number of items in a list; the objects attached to one user or group are far fewer. */
const mostItems = 1_000;
/** The maximum number of pages of a list. The provider's pages have 100 items, except for a few shorter ones. */
export const mostPages = 32;

/** Collects the items of all pages. @throws ProviderFault if there are too many */
async function all<Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly Item[] | undefined,
): Promise<Item[]> {
  const items: Item[] = [];
  let count = 0;
  for await (const page of pages) {
    items.push(...(itemsOf(page) ?? []));
    count += 1;
    if (items.length > mostItems || count > mostPages)
      throw new ProviderFault('The provider lists too much', { code: 'TooMany', status: 200, attempts: 1 });
  }
  return items;
}
