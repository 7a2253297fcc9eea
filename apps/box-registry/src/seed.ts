import { Readable } from 'node:stream';
import { firstAccountId } from '@gatehouse/service-kit/accounts';
import { unknownArchitecture } from './domain/box.ts';
import { defaultChecksumType } from './domain/checksum.ts';
import type { MemberRole } from './domain/namespace.ts';
import type { Context } from './http/context.ts';

/** The initial organizations of an empty registry. */
export type Seed = readonly SeedOrganization[];

export interface SeedOrganization {
  readonly name: string;
  /** Markdown. */
  readonly profile?: string;
  /** Members in addition to the first administrator, who is an owner, by login name; unknown users are skipped. */
  readonly members?: readonly { readonly loginName: string; readonly role: MemberRole }[];
  readonly boxes: readonly SeedBox[];
}

export interface SeedBox {
  readonly name: string;
  readonly shortDescription?: string;
  /** Markdown. */
  readonly description?: string;
  /** False by default. */
  readonly isPrivate?: boolean;
  readonly versions: readonly SeedVersion[];
}

export interface SeedVersion {
  readonly version: string;
  readonly description?: string;
  /** `active` by default. */
  readonly status?: 'unreleased' | 'active' | 'revoked';
  readonly providers: readonly SeedProvider[];
}

/** A provider with a URL or with the bytes of its image. The first one of a name is the default. */
export type SeedProvider = { readonly name: string; readonly architecture?: string } & (
  | { readonly url: string }
  | { readonly image: Uint8Array }
);

type Stores = Pick<
  Context,
  'accounts' | 'namespaces' | 'members' | 'boxes' | 'versions' | 'providers' | 'uploads' | 'images' | 'clock'
>;

/** Fills a registry that has no organizations. @returns whether it did @throws Refusal if the seed breaks a rule */
export async function seedRegistry(stores: Stores, seed: Seed): Promise<boolean> {
  if (seed.length === 0 || stores.namespaces.organizations().next().done !== true) return false;
  const now = stores.clock.now();
  for (const { name, profile = '', members = [], boxes } of seed) {
    const { id } = await stores.namespaces.createOrganization({
      name,
      profile,
      ownerId: firstAccountId,
      now,
      reuse: () => {},
    });
    for (const { loginName, role } of members) {
      const account = stores.accounts.getByLoginName(loginName);
      if (account !== undefined && account.id !== firstAccountId)
        await stores.members.add(id, account.id, role, now);
    }
    for (const box of boxes) await seedBox(stores, id, box, now);
  }
  return true;
}

async function seedBox(stores: Stores, namespaceId: string, seed: SeedBox, now: number): Promise<void> {
  const { name, shortDescription = '', description = '', isPrivate = false } = seed;
  const box = await stores.boxes.create({ namespaceId, name, shortDescription, description, isPrivate }, now);
  for (const { version: number, description: changes = '', status = 'active', providers } of seed.versions) {
    const version = await stores.versions.create(box.id, { version: number, description: changes }, now);
    for (const provider of providers) await seedProvider(stores, version.id, provider, now);
    if (status !== 'unreleased') await stores.versions.release(version.id, now);
    if (status === 'revoked') await stores.versions.revoke(version.id, now);
  }
}

async function seedProvider(
  { providers, uploads, images }: Stores,
  versionId: string,
  seed: SeedProvider,
  now: number,
): Promise<void> {
  const url = 'url' in seed ? seed.url : null;
  const { name, architecture = unknownArchitecture } = seed;
  const { id } = await providers.create(
    versionId,
    { name, architecture, isDefault: false, url, checksum: null },
    now,
  );
  if (!('image' in seed)) return;
  const image = await images.receive(Readable.from([seed.image]), defaultChecksumType);
  const upload = await uploads.create({
    providerId: id,
    accountId: '',
    tokenId: '',
    direct: false,
    expirationTime: now + 60_000,
  });
  await uploads.received(upload.id, image, now, upload.expirationTime);
}
