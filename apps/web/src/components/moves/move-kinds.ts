/** Words for the two kinds of moves. */
import type { MoveKind } from '@gatehouse/api-types/console/move-values';

interface KindWords {
  readonly one: string;
  readonly many: string;
  /** What a version contains: an image, an archive. */
  readonly piece: string;
  readonly pieces: string;
  readonly owner: string;
  readonly owners: string;
  /** The most common source. */
  readonly source: string;
  /** The destination, in a sentence. */
  readonly registry: string;
  /** Example names: of an owner's items, and of one. */
  readonly example: string;
}

export const kindWords: Readonly<Record<MoveKind, KindWords>> = {
  boxes: {
    one: 'box',
    many: 'boxes',
    piece: 'image',
    pieces: 'images',
    owner: 'owner',
    owners: 'owners',
    source: 'https://vagrantcloud.com',
    registry: 'box registry',
    example: 'acme\nbento/ubuntu-24.04\nhttps://app.vagrantup.com/debian/boxes/bookworm64',
  },
  modules: {
    one: 'module',
    many: 'modules',
    piece: 'archive',
    pieces: 'archives',
    owner: 'namespace',
    owners: 'namespaces',
    source: 'https://registry.terraform.io',
    registry: 'module registry',
    example: 'acme\nhashicorp/consul/aws\nhttps://registry.terraform.io/modules/acme/network/aws',
  },
};
