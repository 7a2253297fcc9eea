import type { Request, Result, Route } from '../core/backend.ts';
import { textField } from '../core/fields.ts';
import { mostListed } from '../core/json/map-text.ts';
import { listNames, wholeList, type ReadNames } from '../core/list-names.ts';
import { badRequest, notFound } from '../core/refusal.ts';
import { PolicyFault } from '../domain/policy/policy-fault.ts';
import { defaultPolicyName, rootPolicyName } from '../domain/policy/policy.ts';
import type { Identity } from '../identity/identity.ts';

/** Policies that can't be written or deleted. */
const immutable: ReadonlySet<string> = new Set([rootPolicyName, 'response-wrapping', 'control-group']);
/** The maximum length of a policy's text in characters. */
const longestText = 128 * 1024;

/** The routes of sys/policies/acl, and of the older sys/policy. */
export function policyRoutes(identity: Identity): Route[] {
  const { policies } = identity;
  /** @param copies the number of times that the answer contains them */
  const names = async ({ namespace, giveWay }: Request, copies: number): Promise<string[]> => {
    const read: ReadNames = (from, batch) => policies.names(namespace, from, batch);
    const found = await listNames(read, undefined, wholeList, giveWay, {
      remedy: copies === 1 ? 'delete policies that are no longer needed' : 'use sys/policies/acl',
      most: mostListed / copies,
    });
    return [...found, ...(namespace === '' ? [rootPolicyName] : [])];
  };
  const textOf = ({ namespace }: Request, name: string): string => {
    if (name === rootPolicyName && namespace === '') return '';
    const policy = policies.get(namespace, name);
    if (policy === undefined) throw notFound();
    return policy.text;
  };
  const list = async (request: Request): Promise<Result> => ({ data: { keys: await names(request, 1) } });
  const listOld = async (request: Request): Promise<Result> => {
    const keys = await names(request, 4);
    return { data: { keys, policies: keys }, repeatData: true };
  };

  return [
    { path: 'policies/acl', operations: { list, read: list } },
    {
      path: 'policies/acl/*name',
      fields: ['policy'],
      forwarded: true,
      canonical: (params) => `policies/acl/${policyName(params)}`,
      operations: {
        read: (request, params) => {
          const name = policyName(params);
          return { data: { name, policy: textOf(request, name) } };
        },
        update: (request, params) => write(identity, request, policyName(params), ['policy']),
        delete: (request, params) => remove(identity, request, policyName(params)),
      },
    },
    { path: 'policy', operations: { list: listOld, read: listOld } },
    {
      path: 'policy/*name',
      fields: ['policy', 'rules'],
      forwarded: true,
      canonical: (params) => `policy/${policyName(params)}`,
      operations: {
        read: (request, params) => {
          const name = policyName(params);
          return { data: { name, rules: textOf(request, name) }, repeatData: true };
        },
        update: (request, params) => write(identity, request, policyName(params), ['policy', 'rules']),
        delete: (request, params) => remove(identity, request, policyName(params)),
      },
    },
  ];
}

/** Policy names are in lower case. */
function policyName({ name = '' }: Readonly<Record<string, string>>): string {
  return name.trim().toLowerCase();
}

/** @param fields the names that the member with the text can have */
async function write(
  { policies }: Identity,
  { namespace, body }: Request,
  name: string,
  fields: readonly string[],
): Promise<Result> {
  if (immutable.has(name)) throw badRequest(`cannot update "${name}" policy`);
  if (name === '' || name.length > 512) throw badRequest('policy name missing or too long');
  const texts = fields.map((field) => textField(body, field, longestText));
  const given = texts.find((text) => text !== undefined) ?? '';
  if (given === '') throw badRequest("'policy' parameter not supplied or empty");
  try {
    await policies.set(namespace, name, decoded(given));
  } catch (error) {
    if (error instanceof PolicyFault) throw badRequest(`failed to parse policy: ${error.message}`);
    throw error;
  }
  return undefined;
}

async function remove({ policies }: Identity, { namespace }: Request, name: string): Promise<Result> {
  if (immutable.has(name)) throw badRequest(`cannot delete "${name}" policy`);
  if (name === defaultPolicyName) throw badRequest('cannot delete default policy');
  await policies.remove(namespace, name);
  return undefined;
}

/** Decodes a text if it is base64, which no policy can be. */
function decoded(given: string): string {
  const compact = given.trim();
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) return given;
  return Buffer.from(compact, 'base64').toString('utf8');
}
