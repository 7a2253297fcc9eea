import {
  GetGroupPolicyCommand,
  paginateListAttachedGroupPolicies,
  paginateListGroupPolicies,
} from '@aws-sdk/client-iam';
import type { IAMClient } from '@aws-sdk/client-iam';
import { call } from './call.ts';
import { all } from './users.ts';
import type { Deadline } from './users.ts';

/** The policies of groups, in their order. @throws ProviderFault */
export async function groupPolicies(
  iam: IAMClient,
  until: Deadline,
  groups: readonly string[],
): Promise<{ readonly documents: string[]; readonly policyArns: string[] }> {
  const doing = 'Error reading the policies of groups';
  const paging = { client: iam };
  const documents: string[] = [];
  const policyArns: string[] = [];
  for (const GroupName of groups) {
    const [written, attached] = await call(
      doing,
      Promise.all([
        all(paginateListGroupPolicies(paging, { GroupName }, until()), (page) => page.PolicyNames),
        all(
          paginateListAttachedGroupPolicies(paging, { GroupName }, until()),
          (page) => page.AttachedPolicies,
        ),
      ]),
    );
    for (const PolicyName of written) {
      const command = new GetGroupPolicyCommand({ GroupName, PolicyName });
      const { PolicyDocument = '' } = await call(doing, iam.send(command, until()));
      documents.push(decodeURIComponent(PolicyDocument));
    }
    for (const { PolicyArn } of attached) if (PolicyArn !== undefined) policyArns.push(PolicyArn);
  }
  return { documents, policyArns };
}
