/** Known ways to raise one's own rights with an IAM policy, and the reasons. Not all ways are known. */

import { isActionLike } from '@gatehouse/api-types/console/cloud-values';

interface Way {
  readonly actions: readonly string[];
  /** What the holder can do, after "lets the holder". */
  readonly lets: string;
}

const ways: readonly Way[] = [
  {
    actions: [
      'iam:AttachGroupPolicy',
      'iam:AttachRolePolicy',
      'iam:AttachUserPolicy',
      'iam:PutGroupPolicy',
      'iam:PutRolePolicy',
      'iam:PutUserPolicy',
    ],
    lets: 'give users, groups or roles any right',
  },
  {
    actions: ['iam:CreatePolicyVersion', 'iam:SetDefaultPolicyVersion'],
    lets: 'change what a managed policy allows',
  },
  {
    actions: ['iam:CreateAccessKey', 'iam:CreateLoginProfile', 'iam:UpdateLoginProfile'],
    lets: 'sign in as other users',
  },
  { actions: ['iam:AddUserToGroup'], lets: 'join groups and get their rights' },
  { actions: ['iam:UpdateAssumeRolePolicy'], lets: 'decide who may assume roles' },
  {
    actions: [
      'iam:DeleteRolePermissionsBoundary',
      'iam:DeleteUserPermissionsBoundary',
      'iam:PutRolePermissionsBoundary',
      'iam:PutUserPermissionsBoundary',
    ],
    lets: 'remove the limits of users and roles',
  },
  { actions: ['iam:PassRole'], lets: 'run services with the rights of any role that they accept' },
  { actions: ['sts:AssumeRole'], lets: 'assume every role that trusts this account' },
  {
    actions: ['lambda:UpdateFunctionCode', 'lambda:UpdateFunctionConfiguration'],
    lets: 'run code with the rights of existing functions',
  },
  {
    actions: ['ssm:SendCommand', 'ssm:StartSession'],
    lets: 'run commands on machines with the rights of their roles',
  },
];

/**
 * Why an allowed action on many resources can raise the holder's own rights; undefined if no way is known.
 * @param action such as `iam:PutUserPolicy` or `iam:*`
 */
export function riskOf(action: string): string | undefined {
  if (action === '*') return undefined;
  const found = ways
    .map(({ actions, lets }) => ({ lets, actions: actions.filter((one) => isActionLike(one, action)) }))
    .filter(({ actions }) => actions.length > 0);
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.length > 2)
    return `${action} lets the holder get any right, for example by ${first.actions[0] ?? ''}.`;
  const lets = found.map((way) => way.lets).join(', and ');
  const [named = ''] = first.actions;
  return named.toLowerCase() === action.toLowerCase()
    ? `${action} lets the holder ${lets}.`
    : `${action} includes ${found.flatMap((way) => way.actions).join(', ')}, which lets the holder ${lets}.`;
}

/** Whether a resource stands for many: everything, or all of a kind. */
export const isBroad = (resource: string): boolean => /(?:^|[:/])\*$/.test(resource);
