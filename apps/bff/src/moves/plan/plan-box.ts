/** Plans the move of one box from both registries' answers, without calling them. */
import {
  boxName,
  ownerName,
  providerName,
  versionForm,
  architectureName,
} from '@gatehouse/api-types/console/box-names';
import {
  hasImage,
  imageKey,
  unknownArchitecture,
  type ProviderImage,
} from '@gatehouse/api-types/console/box-values';
import type { Box, BoxVersion, Provider } from '@gatehouse/api-types/console/boxes';
import type { MoveClash } from '@gatehouse/api-types/console/moves';
import type { Slices } from '@gatehouse/service-kit/slices';
import * as z from 'zod/mini';
import { hashOf } from '#ground/fields-revision.ts';
import type { SourceBox, SourceImage, SourceVersion } from '#sources/source.ts';
import type { MovePieceRow } from '#store/schema.ts';
import {
  listed,
  pieceKey,
  unreadOf,
  type PlaceHere,
  type PlannedItem,
  type PlannedPiece,
  type PlannedVersion,
} from './planned.ts';

/** Properties of the registry here that the plan depends on. */
export interface RegistryHere extends PlaceHere {
  /** Whether it stores several architectures per provider. */
  readonly knowsArchitectures: boolean;
  /** Whether the box may be private, because the source is, or was, read with a token. */
  readonly mayBePrivate: boolean;
}

/**
 * Plans one box. Nothing here is ever overwritten: what differs stays, and is reported.
 * @param here the box with the same name here; null if there is none
 */
export async function planBox(
  source: SourceBox,
  here: Box | null,
  place: RegistryHere,
  slices: Slices,
): Promise<PlannedItem> {
  const refused = refusalOf(place);
  const versions: PlannedVersion[] = [];
  const seen = new Set<string>();
  const versionsHere = new Map(here?.versions.map((one) => [one.version, one]));
  const newestRelease = source.versions.find(
    (one) => one.status === 'active' && versionForm.test(one.version),
  );
  for (const one of source.versions) {
    await slices.giveWay();
    if (seen.has(one.version)) continue;
    seen.add(one.version);
    const priority = one === newestRelease ? 0 : versions.length + 1;
    versions.push(
      await planVersion(one, versionsHere.get(one.version) ?? null, { place, refused, priority, slices }),
    );
  }
  const newest = versions.find(({ priority }) => priority === 0);
  return {
    isHere: here?.is_private === true ? 'private' : here !== null,
    isPrivate: source.isPrivate ?? (place.mayBePrivate ? 'assumed' : null),
    shortDescription: source.shortDescription,
    description: source.description,
    sourceUrl: '',
    newest: (newest ?? versions[0])?.version ?? null,
    isUsable:
      newest?.statusHere === 'active' &&
      newest.pieces.some(({ plan }) => plan === 'here') &&
      newest.pieces.every(({ plan }) => plan !== 'missing'),
    clashes: [...clashesOf(source, here, versions, place), ...unreadOf(source.problems)],
    refused: refused?.detail ?? '',
    versions,
  };
}

type Refusal = Pick<MoveClash, 'what' | 'detail'>;

function refusalOf({ name, owner }: PlaceHere): Refusal | undefined {
  const [username = '', box = ''] = name.split('/');
  for (const result of [z.safeParse(ownerName, username), z.safeParse(boxName, box)]) {
    if (!result.success) return { what: 'name-refused', detail: result.error.issues[0]?.message ?? '' };
  }
  return typeof owner === 'object' ? { what: 'owner-refused', detail: owner.refused } : undefined;
}

interface VersionRules {
  readonly place: RegistryHere;
  readonly refused: Refusal | undefined;
  readonly priority: number;
  readonly slices: Slices;
}

async function planVersion(
  source: SourceVersion,
  here: BoxVersion | null,
  { place, refused, priority, slices }: VersionRules,
): Promise<PlannedVersion> {
  const reason =
    refused?.detail ?? (versionForm.test(source.version) ? '' : "Clients can't read this version number.");
  const taken = new Set<string>();
  const pieces: PlannedPiece[] = [];
  for (const image of source.images) {
    await slices.giveWay();
    pieces.push(planImage(source.version, image, here, { place, reason, taken }));
  }
  pieces.sort((a, b) => Number(b.isDefault ?? true) - Number(a.isDefault ?? true));
  const own = pieces.filter(({ plan }) => plan !== 'clash');
  const completes =
    here === null ||
    (here.status === 'unreleased' && imagesOfOthers(here.providers, own, place).length === 0);
  const differs = [
    ...(here !== null && here.status !== source.status ? ['state'] : []),
    ...(here !== null && tidy(here.description) !== tidy(source.description) ? ['description'] : []),
  ];
  return {
    version: source.version,
    description: source.description,
    status: source.status,
    statusHere: here?.status ?? null,
    priority,
    differs,
    completes,
    isOpen: reason === '' && completes && here?.status !== source.status,
    pieces,
  };
}

type Architectures = Pick<RegistryHere, 'knowsArchitectures'>;

/**
 * Identifies an image of a version in the registry here. Some registries store one per provider, whatever its
 * architecture.
 */
export function keysHere({ knowsArchitectures }: Architectures): (image: ProviderImage) => string {
  return knowsArchitectures ? imageKey : ({ name }) => name.toLowerCase();
}

/** Images of a version here that aren't the move's. */
function imagesOfOthers(
  here: readonly Provider[],
  own: readonly Pick<PlannedPiece, 'provider' | 'architecture'>[],
  architectures: Architectures,
): Provider[] {
  const keyOf = keysHere(architectures);
  const keys = new Set(own.map(({ provider, architecture }) => keyOf({ name: provider, architecture })));
  return here.filter((one) => !keys.has(keyOf(one)));
}

/**
 * What the registry reports about an image, to notice that someone replaced it: a hash, because addresses may be
 * secret. Empty for a provider without an image.
 */
export function imageMark(provider: Provider): string {
  const { url, checksum, checksum_type, size, hosted } = provider;
  return hosted && !hasImage(provider) ? '' : hashOf({ url, checksum, checksum_type, size });
}

/** Images of a version that aren't here as the move left or found them: someone added, replaced or deleted them. */
export function changedImages(
  here: readonly Provider[],
  own: readonly Pick<MovePieceRow, 'provider' | 'architecture' | 'image_here'>[],
  architectures: Architectures,
): ProviderImage[] {
  const keyOf = keysHere(architectures);
  const marked = own.map(({ provider: name, architecture, image_here: mark }) => ({
    name,
    architecture,
    mark,
  }));
  const marks = new Map(marked.map((one) => [keyOf(one), one.mark]));
  const found = new Set(here.map(keyOf));
  return [
    ...here.filter((one) => marks.get(keyOf(one)) !== imageMark(one)),
    ...marked.filter((one) => one.mark !== '' && !found.has(keyOf(one))),
  ];
}

interface ImageRules {
  readonly place: RegistryHere;
  /** Why nothing of the version can be copied; empty if something can. */
  readonly reason: string;
  /** Places here that the previous images take. */
  readonly taken: Set<string>;
}

function planImage(
  version: string,
  image: SourceImage,
  here: BoxVersion | null,
  { place, reason, taken }: ImageRules,
): PlannedPiece {
  const { provider, isDefault, hosted, url, size } = image;
  const architecture = image.architecture ?? unknownArchitecture;
  const known = place.known.get(pieceKey(version, provider, architecture));
  const isSame = known?.url === url && known.checksum === image.checksum;
  const piece = {
    provider,
    architecture,
    isDefault,
    hosted,
    url,
    checksum: image.checksumType === null ? '' : image.checksum.toLowerCase(),
    checksumType: image.checksum === '' ? '' : (image.checksumType ?? ''),
    size: size ?? (isSame ? known.size : null),
    known: isSame ? known : undefined,
    imageHere: '',
  };
  const keyOf = keysHere(place);
  const key = keyOf({ name: provider, architecture });
  const why = reason || nameProblem(provider, architecture) || (taken.has(key) ? takenProblem(place) : '');
  taken.add(key);
  if (why !== '') return { ...piece, plan: 'not-copied', detail: why };
  const stored = here?.providers.find((one) => keyOf(one) === key);
  if (stored === undefined) return { ...piece, ...missing };
  const compared = compareImage(piece, stored);
  return { ...piece, ...compared, ...(compared.plan === 'here' && { imageHere: imageMark(stored) }) };
}

const missing = { plan: 'missing', detail: '' } as const;

function nameProblem(provider: string, architecture: string): string {
  for (const result of [z.safeParse(providerName, provider), z.safeParse(architectureName, architecture)]) {
    if (!result.success) return result.error.issues[0]?.message ?? '';
  }
  return '';
}

function takenProblem({ knowsArchitectures }: Architectures): string {
  return knowsArchitectures
    ? 'The source lists this image twice. The first one is used.'
    : 'The registry here keeps one image per provider: the architecture that the source lists first is used.';
}

const otherSum = 'The image here has a different checksum.';

/** Compares a stored provider with an image of the source: the same, different, or a place for it. */
export function compareImage(
  image: Pick<PlannedPiece, 'hosted' | 'url' | 'checksum' | 'checksumType' | 'size' | 'known'>,
  here: Provider,
): Pick<PlannedPiece, 'plan' | 'detail'> {
  const isSameSum =
    here.checksum !== '' && here.checksum_type === image.checksumType && here.checksum === image.checksum;
  const isOtherSum =
    here.checksum !== '' && image.checksum !== '' && here.checksum_type === image.checksumType && !isSameSum;
  if (isOtherSum) return clash(otherSum);
  if (!here.hosted) {
    if (!image.hosted && here.url === image.url) return { plan: 'here', detail: '' };
    return isSameSum
      ? { plan: 'here', detail: 'The image here has the same checksum, but a different address.' }
      : clash('The image here has a different address.');
  }
  if (!hasImage(here)) return missing;
  if (isSameSum) return { plan: 'here', detail: '' };
  const copied = image.known?.sha256 ?? '';
  if (copied !== '' && here.checksum !== '' && here.checksum_type === 'sha256')
    return here.checksum === copied ? { plan: 'here', detail: '' } : clash(otherSum);
  if (image.checksum !== '')
    return clash("The image here has no checksum of this type, so the images can't be compared.");
  if (image.size === null || here.size === null) {
    return clash("The source reports no checksum or size, so the images can't be compared.");
  }
  return image.size === here.size
    ? { plan: 'here', detail: 'The source reports no checksum. The sizes match.' }
    : clash('The image here has a different size.');
}

function clash(detail: string): Pick<PlannedPiece, 'plan' | 'detail'> {
  return { plan: 'clash', detail };
}

function clashesOf(
  source: SourceBox,
  here: Box | null,
  versions: readonly PlannedVersion[],
  place: RegistryHere,
): MoveClash[] {
  const found: MoveClash[] = [];
  const refused = refusalOf(place);
  if (refused !== undefined) return [{ ...refused, done: 'None of it is copied.' }];
  if (place.owner === 'created') {
    const [owner = ''] = place.name.split('/');
    found.push({
      what: 'owner-created',
      detail: `The owner ${owner} doesn't exist here.`,
      done: 'It will be created as an organization.',
    });
  }
  if (here?.is_private !== true && source.isPrivate === null && place.mayBePrivate) {
    found.push({
      what: 'privacy-unknown',
      detail:
        "The source doesn't say whether this box is private. The source is read with a token, so the box may be private.",
      done:
        here === null
          ? 'It will be created as a private box.'
          : 'The box here is public, so everyone can download the copied images.',
    });
  }
  const unreadable = versions
    .filter(({ version }) => !versionForm.test(version))
    .map(({ version }) => version);
  if (unreadable.length > 0) {
    found.push({
      what: 'version-refused',
      detail: `Clients can't read ${unreadable.length === 1 ? 'the version number' : 'the version numbers'} ${listed(unreadable)}.`,
      done: 'Versions with such a number are not copied, because even one breaks the whole box for its clients.',
    });
  }
  const records = [
    ...(here === null ? [] : differencesOf(source, here)),
    ...versions.flatMap(({ version, differs, completes }) =>
      completes && !differs.includes('description') ? [] : differs.map((what) => `${what} of ${version}`),
    ),
  ];
  if (records.length > 0) {
    found.push({
      what: 'record-differs',
      detail: `${records.length === 1 ? 'One field differs' : `${records.length} fields differ`} here: ${listed(records)}.`,
      done: 'The values here are kept.',
    });
  }
  const labels = (isMeant: (piece: PlannedPiece) => boolean): string[] =>
    versions.flatMap(({ version, pieces }) =>
      pieces.filter(isMeant).map(({ provider, architecture }) => `${version} ${provider} ${architecture}`),
    );
  const others = labels(({ plan }) => plan === 'clash');
  if (others.length > 0) {
    found.push({
      what: 'piece-differs',
      detail: `${others.length === 1 ? 'One image differs' : `${others.length} images differ`} here: ${listed(others)}.`,
      done: 'The images here are kept.',
    });
  }
  const unsummed = labels(({ plan, checksum, hosted }) => plan === 'missing' && checksum === '' && hosted);
  if (unsummed.length > 0) {
    found.push({
      what: 'no-checksum',
      detail: `The source reports no checksum for ${listed(unsummed)}.`,
      done: 'The console computes it from the received bytes.',
    });
  }
  return found;
}

function differencesOf(source: SourceBox, here: Box): string[] {
  return [
    ...(tidy(source.shortDescription) === tidy(here.short_description) ? [] : ['short description']),
    ...(tidy(source.description) === tidy(here.description) ? [] : ['description']),
    ...(source.isPrivate === null || source.isPrivate === here.is_private ? [] : ['privacy']),
  ];
}

/** Registries may change line ends and trailing spaces. */
function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}
