import type { Wish } from '#audit/wish.ts';
import type { Context } from '#operation/context.ts';
import type { AuditRow } from '#store/schema.ts';
import * as upstream from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { readOrganization, readSettings, readTwoFactor } from '#upstreams/box-registry/management.ts';
import type { Became } from '../access/became.ts';
import { boxesCaller, type BoxesCall } from './caller.ts';
import { holds } from './holds.ts';

/** Kinds of resources that are asked of the box registry. */
export const boxKinds: ReadonlySet<string> = new Set([
  'box',
  'box-version',
  'box-provider',
  'box-settings',
  'box-token',
  'box-two-factor',
  'organization',
  'organization-member',
]);

interface Found {
  readonly revision: string;
  readonly created_time?: string;
  readonly status?: string;
}

/** Clocks of the console and of the registry may differ by as much, in milliseconds. */
const leeway = 60_000;

/**
 * Reads the registry once and decides whether an audited call was done.
 * @throws ServiceError when it cannot be read: then nothing is decided
 */
export async function whatBecameOfBox(
  context: Context,
  call: BoxesCall,
  intent: AuditRow,
  wish: Wish,
): Promise<Became> {
  const caller = await boxesCaller(context, call);
  const { operation, body, revision } = wish;
  switch (operation) {
    // Their answers are recorded before they are sent: nobody received one.
    case 'prepareBoxDownload':
    case 'validateBoxToken':
    case 'requestTwoFactorCode':
    case 'beginTwoFactor':
      return { outcome: 'failed' };
    case 'enableTwoFactor':
    case 'disableTwoFactor': {
      const state = await readTwoFactor(caller);
      if (state === null) return { outcome: 'unknown' };
      return { outcome: state.enabled === (operation === 'enableTwoFactor') ? 'succeeded' : 'failed' };
    }
    case 'createBoxToken':
    case 'deleteBoxToken':
    case 'resetTwoFactor':
      return { outcome: 'unknown' };
    default:
  }
  const verb = intent.action.slice(intent.action.indexOf('.') + 1);
  const found = await read(caller, intent.resource_kind, wish);
  const stored = (one: Found) => ({ id: intent.resource_id, revision: one.revision });
  switch (verb) {
    case 'create': {
      if (found === null) return { outcome: 'failed' };
      const since = found.created_time === undefined ? Number.NaN : Date.parse(found.created_time);
      // One that was there before is why this one was refused.
      if (since < intent.time - leeway) return { outcome: 'failed' };
      return holds(found, body) ? { outcome: 'succeeded', stored: stored(found) } : { outcome: 'unknown' };
    }
    case 'delete':
      return { outcome: found === null ? 'succeeded' : 'failed' };
    case 'release':
    case 'revoke':
      if (found === null) return { outcome: 'unknown' };
      return found.status === (verb === 'release' ? 'active' : 'revoked')
        ? { outcome: 'succeeded', stored: stored(found) }
        : { outcome: 'failed', stored: stored(found) };
    default:
      if (found === null) return { outcome: 'unknown' };
      if (found.revision === revision) return { outcome: 'failed', stored: stored(found) };
      return holds(found, body) ? { outcome: 'succeeded', stored: stored(found) } : { outcome: 'unknown' };
  }
}

/** The record that a call was about, under the name that it was to have. */
async function read(caller: BoxesCaller, kind: string, { params, body }: Wish): Promise<Found | null> {
  const text = (name: string): string => {
    const given = body[name];
    return typeof given === 'string' ? given : (params[name] ?? '');
  };
  const { username = text('username'), name = text('name'), version = text('version') } = params;
  switch (kind) {
    case 'box': {
      const at = { username, name };
      return (
        (await upstream.readBox(caller, at)) ?? upstream.readBox(caller, { username, name: text('name') })
      );
    }
    case 'box-version':
      return (
        (await upstream.readVersion(caller, { username, name, version })) ??
        upstream.readVersion(caller, { username, name, version: text('version') })
      );
    case 'box-provider': {
      const at = { username, name, version };
      const { provider = text('name') } = params;
      return (
        (await upstream.readProvider(caller, { ...at, provider })) ??
        upstream.readProvider(caller, { ...at, provider: text('name') })
      );
    }
    case 'organization':
      return readOrganization(caller, username);
    case 'organization-member': {
      const member = (params['member'] ?? String(body['username'])).toLowerCase();
      const members = (await readOrganization(caller, username))?.members ?? [];
      return members.find((one) => one.username.toLowerCase() === member) ?? null;
    }
    default:
      return readSettings(caller);
  }
}
