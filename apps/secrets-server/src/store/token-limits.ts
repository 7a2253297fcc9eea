import { withParameters } from '@gatehouse/service-kit/store';
import { beyondFolder } from '../core/list-names.ts';
import { badRequest } from '../core/refusal.ts';
import type { Token } from '../domain/token/token.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';

/**
 * Most tokens that an owner's own tokens created, most that came from one of those, at any depth and orphans too, and
 * most that came from all of those. The first don't count for the others: whoever has a token of an owner can't use up
 * what the owner itself creates, nor what the owner's other tokens do.
 */
const mostOwn = 10_000;
const mostOfBranch = 1_000;
const mostOfBranches = 10_000;

/** Whether a token is its owner's own: of a sign-in, or without a creator. */
export function isOwn({ person, owner, accessor }: Token): boolean {
  return person !== null || owner === accessor;
}

/**
 * Names whose limits count what a token creates: the owner's, or the branch's within it.
 * @param owner `Token.owner`
 * @param branch the accessor of the first token after the owner's own one; undefined for the latter
 */
export function payerOf(owner: string, branch: string | undefined): string {
  return branch === undefined ? owner : `${owner}/${branch}`;
}

/** The bounds between which all branches of the same owner sort; undefined if `payer` is an owner. */
export function branchesAround(payer: string): readonly [string, string] | undefined {
  const end = payer.indexOf('/');
  if (end < 0) return undefined;
  const branches = payer.slice(0, end + 1);
  return [branches, beyondFolder(branches)];
}

/** Returns the check of the limits after a token was added. It throws Refusal 400. */
export function createdLimits(build: SecretsStore['build']) {
  const some = build.selectFrom('token').select('hash');
  const beyond = some.where('owner', '=', '').limit(1).offset(0).compile();
  const beyondOfBranches = some.where('owner', '>', '').where('owner', '<', '').limit(1).offset(0).compile();
  const refuse = (created: string): never => {
    throw badRequest(`more than ${created}. Revoke some, or wait until they expire.`);
  };
  return (tx: SecretsWriter, payer: string): void => {
    const branches = branchesAround(payer);
    const most = branches === undefined ? mostOwn : mostOfBranch;
    if (tx.get(withParameters(beyond, payer, 1, most)) !== undefined)
      refuse(
        branches === undefined
          ? `${most} tokens were created with your own tokens`
          : `${most} tokens come from one token: yours, or the one that yours comes from`,
      );
    if (
      branches !== undefined &&
      tx.get(withParameters(beyondOfBranches, ...branches, 1, mostOfBranches)) !== undefined
    )
      refuse(`${mostOfBranches} tokens come from tokens that one user created, yours among them`);
  };
}
