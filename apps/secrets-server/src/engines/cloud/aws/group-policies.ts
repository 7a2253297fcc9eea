import {
  GetGroupPolicyCommand,
  paginateListAttachedGroupPolicies,
  paginateListGroupPolicies,
} from '@aws-sdk/client-iam';
import type { IAMClient } from '@aws-sdk/client-iam';
import { compactDocument } from '#domain/cloud/policy-document.ts';
import { ProviderFault } from '../provider.ts';
import { call } from './call.ts';
import { mostPages } from './users.ts';
import type { Deadline } from './users.ts';

/**
 * The most policies of a role's groups, and the most characters of their names, ARNs and documents together with the
 * role's own document. The provider accepts a session with ten ARNs and a few kilobytes of documents.
 */
const mostPolicies = 256;
const mostCharacters = 64 * 1024;

const doing = 'Error reading the policies of groups';

/**
 * Reads the policies of groups in order, within one time limit and one budget for all of them.
 * @param ownDocument of the role, which counts toward the budget
 * @param giveWay called before each call; throws when nobody waits for the policies any more
 * @throws ProviderFault
 */
export async function groupPolicies(
  iam: IAMClient,
  deadline: ReturnType<Deadline>,
  groups: readonly string[],
  ownDocument: string,
  giveWay: () => Promise<void>,
): Promise<{ readonly documents: string[]; readonly policyArns: string[] }> {
  const paging = { client: iam };
  const documents: string[] = [];
  const policyArns: string[] = [];
  let policies = 0;
  let characters = 0;
  const count = (text: string): void => {
    characters += text.length;
    if (characters > mostCharacters) throw tooMuch(`${mostCharacters} characters of policies`);
  };
  const countPolicy = (name: string): void => {
    policies += 1;
    if (policies > mostPolicies) throw tooMuch(`${mostPolicies} policies`);
    count(name);
  };
  const readWritten = async (GroupName: string): Promise<void> => {
    const pages = paginateListGroupPolicies(paging, { GroupName }, deadline);
    for await (const { PolicyNames = [] } of inParts(pages, giveWay)) {
      for (const name of PolicyNames) countPolicy(name);
      for (const PolicyName of PolicyNames) {
        await giveWay();
        const command = new GetGroupPolicyCommand({ GroupName, PolicyName });
        const { PolicyDocument = '' } = await call(doing, iam.send(command, deadline));
        documents.push(documentOf(PolicyDocument, count));
      }
    }
  };
  const readAttached = async (GroupName: string): Promise<void> => {
    const pages = paginateListAttachedGroupPolicies(paging, { GroupName }, deadline);
    for await (const { AttachedPolicies = [] } of inParts(pages, giveWay)) {
      for (const { PolicyArn = '' } of AttachedPolicies) {
        countPolicy(PolicyArn);
        if (PolicyArn !== '') policyArns.push(PolicyArn);
      }
    }
  };
  if (groups.length > 0) count(ownDocument);
  for (const name of groups) await Promise.all([readWritten(name), readAttached(name)]);
  return { documents, policyArns };
}

/** The pages of a list, each read after giving way. */
async function* inParts<Page>(
  pages: AsyncGenerator<Page, undefined>,
  giveWay: () => Promise<void>,
): AsyncGenerator<Page> {
  for (let page = 0; page < mostPages; page += 1) {
    await giveWay();
    const { done, value } = await call(doing, pages.next());
    if (done === true) return;
    yield value;
  }
  throw tooMuch(`${mostPages} pages`);
}

/**
 * @param encoded the document as the provider sends it, with percent-encoding
 * @param count throws if the document is too long to be parsed
 */
function documentOf(encoded: string, count: (text: string) => void): string {
  let document = '';
  try {
    document = decodeURIComponent(encoded);
  } catch {
    // An empty document isn't valid either.
  }
  count(document);
  if ('document' in compactDocument(document)) return document;
  throw new ProviderFault(`${doing}: a document is not a valid JSON object`, {
    code: 'InvalidDocument',
    status: 200,
    attempts: 1,
  });
}

function tooMuch(most: string): ProviderFault {
  const text = `${doing}: the role's groups have more than ${most}. Use fewer groups, or policies in the role.`;
  return new ProviderFault(text, { code: 'TooMany', status: 200, attempts: 1 });
}
