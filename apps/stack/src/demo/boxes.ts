import { createHash } from 'node:crypto';
import type { TestClock } from '@gatehouse/service-kit/clock';
import type { BoxesClient } from '../boxes-client.ts';
import { boxPlan, organizationPlan, type PlannedProvider, type PlannedVersion } from './box-plan.ts';
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
  const versions = boxPlan
    .flatMap((box) => box.versions.map((version, index) => ({ box, version, isFirst: index === 0 })))
    .toSorted((one, other) => other.version.ago - one.version.ago);
  for (const { box, version, isFirst } of versions) {
    clock.advance(Math.max(random.between(1, 9) * minute, now - version.ago * day - clock.now()));
    if (isFirst) {
      await client.post('/api/v2/boxes', {
        box: {
          username: box.owner,
          name: box.name,
          is_private: box.isPrivate ?? false,
          short_description: box.shortDescription,
          description: box.description,
        },
      });
    }
    const { owner, name } = box;
    await publish(client, { owner, name, version }, random, busy);
  }
}

interface Publishing {
  readonly owner: string;
  readonly name: string;
  readonly version: PlannedVersion;
}

async function publish(
  client: BoxesClient,
  { owner, name, version: plan }: Publishing,
  random: Random,
  busy: number,
): Promise<void> {
  const { version, description, providers, state } = plan;
  const box = `/api/v2/box/${owner}/${name}`;
  const path = `${box}/version/${version}`;
  await client.post(`${box}/versions`, { version: { version, description } });
  for (const provider of providers) await provide(client, path, provider, random);
  if (state === 'unreleased') return;
  await client.put(`${path}/release`, {});
  for (const { name: provider, architecture = unknown, downloads = 0 } of providers) {
    const images = `/${owner}/boxes/${name}/versions/${version}/providers`;
    const image = `${images}/${provider}/${architecture}/vagrant.box`;
    for (let count = 0; count < downloads * busy; count++) await client.beginDownload(image);
  }
  if (state === 'revoked') await client.put(`${path}/revoke`, {});
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
