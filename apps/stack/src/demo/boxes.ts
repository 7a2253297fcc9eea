import { createHash } from 'node:crypto';
import type { TestClock } from '@gatehouse/service-kit/clock';
import type { BoxesClient } from '../boxes-client.ts';
import {
  boxPlan,
  organizationPlan,
  type PlannedBox,
  type PlannedProvider,
  type PlannedVersion,
} from './box-plan.ts';
import type { Random } from './random.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** The registry's architecture for an image without a named one. */
const unknown = 'unknown';
/** The site with the images that the company doesn't store itself. */
const elsewhere = 'https://images.example.org';

/**
 * Fills a box registry with what the sample company has published in the last months: organizations and members,
 * every version at its time with images of random bytes, and the downloads of its clients.
 * @param client signed in as an administrator
 * @param clock the registry's clock, which this function advances
 * @param now when the demo starts, in milliseconds since the epoch
 * @param busy the share of the planned downloads that happened, 0 to 1
 */
export async function publishBoxes(
  client: BoxesClient,
  clock: TestClock,
  random: Random,
  now: number,
  busy: number,
): Promise<void> {
  for (const { username, profile, members } of organizationPlan) {
    await client.post('/api/v1/organizations', { organization: { username } });
    await client.put(`/api/v1/organizations/${username}`, { organization: { profile_markdown: profile } });
    for (const [member, role] of Object.entries(members)) {
      await client.post(`/api/v1/organizations/${username}/members`, { username: member, role });
    }
    clock.advance(random.between(1, 9) * minute);
  }
  const events = boxPlan
    .flatMap((box) =>
      box.versions.flatMap((version, index) =>
        eventsOf(client, { box, version, isFirst: index === 0 }, random, busy),
      ),
    )
    .toSorted((one, other) => other.ago - one.ago);
  for (const { ago, run } of events) {
    clock.advance(Math.max(0, now - ago * day - clock.now()));
    await run();
  }
}

interface Event {
  /** In days before the demo starts. */
  readonly ago: number;
  readonly run: () => Promise<unknown>;
}

interface Publishing {
  readonly box: PlannedBox;
  readonly version: PlannedVersion;
  readonly isFirst: boolean;
}

/** A version's publication, the downloads in the weeks after it, and its revocation. */
function eventsOf(
  client: BoxesClient,
  { box, version: plan, isFirst }: Publishing,
  random: Random,
  busy: number,
): Event[] {
  const { owner, name } = box;
  const { version, description, providers, state } = plan;
  const ago = Math.max(0, plan.ago - random.between(0, 300) / 1000);
  const path = `/api/v2/box/${owner}/${name}/version/${version}`;
  const publish = async () => {
    if (isFirst)
      await client.post('/api/v2/boxes', {
        box: {
          username: owner,
          name,
          is_private: box.isPrivate ?? false,
          short_description: box.shortDescription,
          description: box.description,
        },
      });
    await client.post(`/api/v2/box/${owner}/${name}/versions`, { version: { version, description } });
    for (const provider of providers) await provide(client, path, provider, random);
    if (state !== 'unreleased') await client.put(`${path}/release`, {});
  };
  if (state === 'unreleased') return [{ ago, run: publish }];
  const days = Math.min(ago, 42);
  const since = () => (days * random.between(1, 99)) / 100;
  const downloads = providers.flatMap(({ name: provider, architecture = unknown, downloads: count = 0 }) => {
    const images = `/${owner}/boxes/${name}/versions/${version}/providers`;
    const run = () => client.beginDownload(`${images}/${provider}/${architecture}/vagrant.box`);
    return Array.from({ length: Math.ceil(count * busy) }, () => ({ ago: ago - since(), run }));
  });
  const revoke = { ago: ago - days, run: () => client.put(`${path}/revoke`, {}) };
  return [{ ago, run: publish }, ...downloads, ...(state === 'revoked' ? [revoke] : [])];
}

async function provide(
  client: BoxesClient,
  version: string,
  { name, architecture = unknown, kib }: PlannedProvider,
  random: Random,
): Promise<void> {
  if (kib === undefined) {
    const url = `${elsewhere}${version.replace('/api/v2/box', '')}/${name}.box`;
    await client.post(`${version}/providers`, { provider: { name, architecture, url } });
    return;
  }
  const piece = Uint8Array.from({ length: 1024 }, () => random.between(0, 255));
  const image = Buffer.alloc(kib * piece.length, piece);
  const checksum = createHash('sha256').update(image).digest('hex');
  await client.post(`${version}/providers`, {
    provider: { name, architecture, checksum, checksum_type: 'sha256' },
  });
  await client.sendImage(`${version}/provider/${name}/${architecture}`, image);
}
