import { CloudFault, noSuchEntity } from './fault.ts';
import type { Parameters } from './parameters.ts';
import { providerId, providerSecret } from './state.ts';
import type { CloudState, DoubleUser } from './state.ts';
import type { Xml } from './xml.ts';

/** Handles one call. @returns the content of the answer's `…Result`; undefined for none */
export type Action = (state: CloudState, parameters: Parameters, caller: DoubleUser, now: number) => Xml;

const keysOfAUser = 2;

/** Handlers of IAM's calls by name. */
export const iamActions: Readonly<Record<string, Action>> = {
  CreateUser(state, parameters, _caller, now) {
    const name = parameters.required('UserName');
    if (!/^[\w+=,.@-]{1,64}$/.test(name)) throw invalid('UserName', name);
    if (state.users.has(name)) {
      throw new CloudFault(409, 'EntityAlreadyExists', `User with name ${name} already exists.`);
    }
    const path = parameters.text('Path') || '/';
    if (!/^\/(?:[\x21-\x7F]{0,510}\/)?$/.test(path)) throw invalid('Path', path);
    const boundary = parameters.text('PermissionsBoundary');
    if (boundary !== '') attachable(state, boundary);
    const tags = parameters.pairs('Tags');
    return { User: userXml(state.addUser({ name, path, boundary, tags, denied: [], now })) };
  },

  GetUser: (state, parameters, caller) => ({
    User: userXml(parameters.text('UserName') === '' ? caller : state.user(parameters.text('UserName'))),
  }),

  ListUsers: (state, parameters) => page([...state.users.values()], parameters, 'Users', userXml),

  DeleteUser(state, parameters) {
    const user = state.user(parameters.required('UserName'));
    const left = [
      [user.keys.size, 'delete access keys'],
      [user.written.size, 'delete policies'],
      [user.attached.size, 'detach all policies'],
      [user.groups.size, 'remove users from group'],
      [Number(user.hasPassword), 'delete login profile'],
      [user.devices.size, 'delete MFA device'],
    ].find(([count]) => count !== 0);
    if (left !== undefined) {
      throw new CloudFault(409, 'DeleteConflict', `Cannot delete entity, must ${left[1]} first.`);
    }
    state.users.delete(user.name);
    return undefined;
  },

  CreateLoginProfile(state, parameters, _caller, now) {
    const user = state.user(parameters.required('UserName'));
    parameters.required('Password');
    user.hasPassword = true;
    return { LoginProfile: { UserName: user.name, CreateDate: time(now) } };
  },

  DeleteLoginProfile(state, parameters) {
    const user = state.user(parameters.required('UserName'));
    if (!user.hasPassword) throw noSuchEntity(`Login Profile for User ${user.name} cannot be found.`);
    user.hasPassword = false;
    return undefined;
  },

  EnableMFADevice(state, parameters) {
    state.user(parameters.required('UserName')).devices.add(parameters.required('SerialNumber'));
    return undefined;
  },

  ListMFADevices(state, parameters, caller, now) {
    const user = userOf(state, parameters, caller);
    return page([...user.devices], parameters, 'MFADevices', (serial) => ({
      UserName: user.name,
      SerialNumber: serial,
      EnableDate: time(now),
    }));
  },

  DeactivateMFADevice(state, parameters) {
    const serial = parameters.required('SerialNumber');
    if (!state.user(parameters.required('UserName')).devices.delete(serial))
      throw noSuchEntity(`MFA Device with serial number ${serial} was not found.`);
    return undefined;
  },

  CreateAccessKey(state, parameters, caller, now) {
    const user = userOf(state, parameters, caller);
    if (user.keys.size >= keysOfAUser) {
      throw new CloudFault(409, 'LimitExceeded', `Cannot exceed quota for AccessKeysPerUser: ${keysOfAUser}`);
    }
    const id = providerId('AKIA');
    const secret = providerSecret();
    user.keys.set(id, { secret, createdTime: now, refusals: state.newKeyRefusals });
    return {
      AccessKey: {
        UserName: user.name,
        AccessKeyId: id,
        Status: 'Active',
        SecretAccessKey: secret,
        CreateDate: time(now),
      },
    };
  },

  ListAccessKeys(state, parameters, caller) {
    const user = userOf(state, parameters, caller);
    return page([...user.keys], parameters, 'AccessKeyMetadata', ([id, key]) => ({
      UserName: user.name,
      AccessKeyId: id,
      Status: 'Active',
      CreateDate: time(key.createdTime),
    }));
  },

  DeleteAccessKey(state, parameters, caller) {
    const user = userOf(state, parameters, caller);
    const id = parameters.required('AccessKeyId');
    if (!user.keys.delete(id)) throw noSuchEntity(`The Access Key with id ${id} cannot be found.`);
    return undefined;
  },

  AttachUserPolicy(state, parameters) {
    const user = state.user(parameters.required('UserName'));
    user.attached.add(attachable(state, parameters.required('PolicyArn')));
    return undefined;
  },

  DetachUserPolicy(state, parameters) {
    const arn = parameters.required('PolicyArn');
    if (!state.user(parameters.required('UserName')).attached.delete(arn)) {
      throw noSuchEntity(`Policy ${arn} was not found.`);
    }
    return undefined;
  },

  ListAttachedUserPolicies: (state, parameters) =>
    page(
      [...state.user(parameters.required('UserName')).attached],
      parameters,
      'AttachedPolicies',
      attachedXml,
    ),

  PutUserPolicy(state, parameters) {
    const document = parameters.required('PolicyDocument');
    try {
      JSON.parse(document);
    } catch {
      throw new CloudFault(400, 'MalformedPolicyDocument', 'Syntax errors in policy.');
    }
    state.user(parameters.required('UserName')).written.set(parameters.required('PolicyName'), document);
    return undefined;
  },

  DeleteUserPolicy(state, parameters) {
    const name = parameters.required('PolicyName');
    if (!state.user(parameters.required('UserName')).written.delete(name)) {
      throw noSuchEntity(`The user policy with name ${name} cannot be found.`);
    }
    return undefined;
  },

  ListUserPolicies: (state, parameters) =>
    page(
      [...state.user(parameters.required('UserName')).written.keys()],
      parameters,
      'PolicyNames',
      (name) => name,
    ),

  AddUserToGroup(state, parameters) {
    const group = parameters.required('GroupName');
    state.group(group);
    state.user(parameters.required('UserName')).groups.add(group);
    return undefined;
  },

  RemoveUserFromGroup(state, parameters) {
    const group = parameters.required('GroupName');
    if (!state.user(parameters.required('UserName')).groups.delete(group)) {
      throw noSuchEntity(`The user is not in the group ${group}.`);
    }
    return undefined;
  },

  ListGroupsForUser: (state, parameters) =>
    page([...state.user(parameters.required('UserName')).groups], parameters, 'Groups', (name) => ({
      GroupName: name,
      Path: '/',
    })),

  ListGroupPolicies: (state, parameters) =>
    page(
      Object.keys(state.group(parameters.required('GroupName')).written),
      parameters,
      'PolicyNames',
      (name) => name,
    ),

  GetGroupPolicy(state, parameters) {
    const GroupName = parameters.required('GroupName');
    const PolicyName = parameters.required('PolicyName');
    const document = state.group(GroupName).written[PolicyName];
    if (document === undefined) {
      throw noSuchEntity(`The group policy with name ${PolicyName} cannot be found.`);
    }
    return { GroupName, PolicyName, PolicyDocument: encodeURIComponent(document) };
  },

  ListAttachedGroupPolicies: (state, parameters) =>
    page(
      [...state.group(parameters.required('GroupName')).attached],
      parameters,
      'AttachedPolicies',
      attachedXml,
    ),
};

function userOf(state: CloudState, parameters: Parameters, caller: DoubleUser): DoubleUser {
  const name = parameters.text('UserName');
  return name === '' ? caller : state.user(name);
}

function attachable(state: CloudState, arn: string): string {
  if (state.policies.has(arn)) return arn;
  throw noSuchEntity(`Policy ${arn} does not exist or is not attachable.`);
}

function userXml(user: DoubleUser): Xml {
  return {
    Path: user.path,
    UserName: user.name,
    UserId: `AIDA${user.name.length}`,
    Arn: user.arn,
    CreateDate: time(user.createdTime),
    ...(user.boundary !== '' && {
      PermissionsBoundary: {
        PermissionsBoundaryType: 'PermissionsBoundaryPolicy',
        PermissionsBoundaryArn: user.boundary,
      },
    }),
    Tags: Object.entries(user.tags).map(([Key, Value]) => ({ Key, Value })),
  };
}

function attachedXml(arn: string): Xml {
  return { PolicyArn: arn, PolicyName: arn.slice(arn.lastIndexOf('/') + 1) };
}

/** A page of a list, starting at the marker. */
function page<Item>(
  items: readonly Item[],
  parameters: Parameters,
  name: string,
  xmlOf: (item: Item) => Xml,
): Xml {
  const from = Number(parameters.text('Marker') || '0');
  const size = Number(parameters.text('MaxItems') || '100');
  const more = items.length > from + size;
  return {
    [name]: items.slice(from, from + size).map(xmlOf),
    IsTruncated: String(more),
    ...(more && { Marker: String(from + size) }),
  };
}

function invalid(name: string, value: string): CloudFault {
  return new CloudFault(400, 'ValidationError', `The specified value for ${name} is invalid: ${value}`);
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
