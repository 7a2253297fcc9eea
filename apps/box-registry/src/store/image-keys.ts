import type { RegistryReader } from './database.ts';

/** The keys of all provider images and received uploads in a box, a version or one provider. */
export function imageKeysOf(
  reader: RegistryReader,
  level: 'box' | 'version' | 'provider',
  id: string,
): string[] {
  const { build } = reader;
  const providers = build
    .selectFrom('provider')
    .innerJoin('version', 'version.id', 'provider.version_id')
    .where(level === 'box' ? 'version.box_id' : level === 'version' ? 'version.id' : 'provider.id', '=', id)
    .select(['provider.id', 'provider.image_key']);
  const rows = reader.all(providers.compile());
  const ids = rows.map((row) => row.id);
  const uploads =
    ids.length === 0
      ? []
      : reader.all(
          build
            .selectFrom('upload')
            .select('image_key')
            .where('provider_id', 'in', providers.clearSelect().select('provider.id'))
            .compile(),
        );
  return [...new Set([...rows, ...uploads].flatMap((row) => row.image_key ?? []))];
}
