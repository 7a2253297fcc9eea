/** Plans the move of one module, like `planBox`. A module version has one piece, its archive. */
import { semanticVersion, isPrerelease, withoutBuild } from '@gatehouse/api-types/console/module-values';
import type { ModuleVersion } from '@gatehouse/api-types/console/modules';
import type { MoveClash } from '@gatehouse/api-types/console/moves';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { ArchivePlace, SourceModule } from '#sources/source.ts';
import {
  listed,
  pieceKey,
  unreadOf,
  type PlaceHere,
  type PlannedItem,
  type PlannedPiece,
  type PlannedVersion,
} from './planned.ts';

/** A version here: its number, its state, and its archive if the registry reports it. */
export type VersionHere = Pick<ModuleVersion, 'version' | 'deprecation' | 'archive'>;

export interface ModuleRules extends PlaceHere {
  /** Archive addresses of the versions that aren't here, by version. */
  readonly archives: ReadonlyMap<string, ArchivePlace>;
}

/** @param here the versions of the module with the same name here; null if there is none */
export async function planModule(
  source: SourceModule,
  here: readonly VersionHere[] | null,
  rules: ModuleRules,
  slices: Slices,
): Promise<PlannedItem> {
  const refused = refusalOf(rules);
  const newestRelease =
    source.versions.find(
      ({ version, deprecation }) => !isPrerelease(version) && deprecation?.state !== 'revoked',
    ) ?? source.versions[0];
  const versions: PlannedVersion[] = [];
  const seen = new Set<string>();
  const storedVersions = new Map(here?.map((one) => [one.version, one]));
  /** The versions as clients distinguish them, without build metadata, with the existing or planned version of each. */
  const taken = new Map(here?.map((one) => [withoutBuild(one.version), one.version]));
  for (const { version, deprecation } of source.versions) {
    await slices.giveWay();
    if (seen.has(version)) continue;
    seen.add(version);
    const stored = storedVersions.get(version);
    const statusHere = stored === undefined ? null : (stored.deprecation?.state ?? 'active');
    const same = taken.get(withoutBuild(version)) ?? version;
    const piece = planArchive(
      version,
      stored,
      rules,
      refused?.detail ??
        (same === version || stored !== undefined
          ? ''
          : `Clients can't tell this version from ${same}: only the build metadata differs.`),
    );
    if (piece.plan === 'missing') taken.set(withoutBuild(version), version);
    versions.push({
      version,
      description: deprecation === null ? '' : JSON.stringify(deprecation),
      status: deprecation?.state ?? 'active',
      statusHere,
      priority: version === newestRelease?.version ? 0 : versions.length + 1,
      differs: statusHere !== null && statusHere !== (deprecation?.state ?? 'active') ? ['state'] : [],
      completes: stored === undefined,
      isOpen: false,
      pieces: [piece],
    });
  }
  const newest = versions.find(({ priority }) => priority === 0);
  return {
    isHere: here !== null,
    isPrivate: null,
    shortDescription: source.description,
    description: '',
    sourceUrl: source.sourceUrl,
    newest: newest?.version ?? null,
    isUsable: newest?.pieces.every(({ plan }) => plan === 'here') ?? false,
    clashes: [...clashesOf(versions, rules, refused), ...unreadOf(source.problems)],
    refused: refused?.detail ?? '',
    versions,
  };
}

function refusalOf({ name, owner }: PlaceHere): Pick<MoveClash, 'what' | 'detail'> | undefined {
  const [namespace = '', module = '', provider = ''] = name.split('/');
  const isFit =
    /^[0-9A-Za-z](?:[0-9A-Za-z_-]{0,62}[0-9A-Za-z])?$/.test(namespace) &&
    /^[0-9A-Za-z](?:[0-9A-Za-z_-]{0,62}[0-9A-Za-z])?$/.test(module) &&
    /^[0-9a-z]{1,64}$/.test(provider);
  if (!isFit) {
    return {
      what: 'name-refused',
      detail:
        'A module is named namespace/name/provider, with letters, digits, "-" and "_"; the provider has only lower-case letters and digits.',
    };
  }
  return typeof owner === 'object' ? { what: 'owner-refused', detail: owner.refused } : undefined;
}

function planArchive(
  version: string,
  here: VersionHere | undefined,
  { known: knownPieces, archives }: ModuleRules,
  reason: string,
): PlannedPiece {
  const known = knownPieces.get(pieceKey(version, '', ''));
  const place = archives.get(version);
  const checksum = place?.kind === 'archive' ? sumOf(place.checksum) : { checksum: '', type: '' };
  const piece = {
    provider: '',
    architecture: '',
    isDefault: null,
    hosted: true,
    url: place?.kind === 'archive' ? place.url : '',
    checksum: checksum.checksum,
    checksumType: checksum.type,
    size: known?.size ?? null,
    known,
    imageHere: '',
  };
  if (reason !== '') return { ...piece, plan: 'not-copied', detail: reason };
  if (!isSemantic(version))
    return { ...piece, plan: 'not-copied', detail: "Clients can't read this version number." };
  if (here !== undefined) return { ...piece, ...compareArchive(piece, here) };
  if (place !== undefined && place.kind !== 'archive')
    return { ...piece, plan: 'not-copied', detail: place.reason };
  return { ...piece, plan: 'missing', detail: '' };
}

function compareArchive(
  { checksum, checksumType, known }: Pick<PlannedPiece, 'checksum' | 'checksumType' | 'known'>,
  { archive }: VersionHere,
): Pick<PlannedPiece, 'plan' | 'detail'> {
  const wanted = checksumType === 'sha256' ? checksum : (known?.sha256 ?? '');
  if (wanted !== '' && archive !== null && archive.sha256 !== '') {
    return archive.sha256 === wanted
      ? { plan: 'here', detail: '' }
      : { plan: 'clash', detail: 'The archive here has a different checksum.' };
  }
  return { plan: 'here', detail: 'The source reports no checksum. The version numbers match.' };
}

/** `sha256:…` as registries write it, or nothing. */
export function sumOf(text: string): { readonly checksum: string; readonly type: string } {
  const [, type = '', checksum = ''] = /^(md5|sha1|sha256|sha512):([0-9a-f]+)$/i.exec(text) ?? [];
  return { checksum: checksum.toLowerCase(), type: type.toLowerCase() };
}

function isSemantic(version: string): boolean {
  return semanticVersion.test(version);
}

function clashesOf(
  versions: readonly PlannedVersion[],
  { name, owner }: PlaceHere,
  refused: Pick<MoveClash, 'what' | 'detail'> | undefined,
): MoveClash[] {
  if (refused !== undefined) return [{ ...refused, done: 'None of it is copied.' }];
  const found: MoveClash[] = [];
  if (owner === 'created') {
    found.push({
      what: 'owner-created',
      detail: `The namespace ${name.split('/')[0]} doesn't exist here.`,
      done: 'It will be created with the first version.',
    });
  }
  const states = versions.filter(({ differs }) => differs.length > 0).map(({ version }) => version);
  if (states.length > 0) {
    found.push({
      what: 'record-differs',
      detail: `${states.length === 1 ? 'One version has' : `${states.length} versions have`} a different state here: ${listed(states)}.`,
      done: 'The values here are kept.',
    });
  }
  const numbers = (plan: PlannedPiece['plan']): string[] =>
    versions.filter(({ pieces }) => pieces[0]?.plan === plan).map(({ version }) => version);
  const others = numbers('clash');
  if (others.length > 0) {
    found.push({
      what: 'piece-differs',
      detail: `${others.length === 1 ? 'One archive differs' : `${others.length} archives differ`} here: ${listed(others)}.`,
      done: 'The archives here are kept.',
    });
  }
  const left = versions.filter(({ pieces }) => pieces[0]?.plan === 'not-copied');
  const reasons = [...Map.groupBy(left, ({ pieces }) => pieces[0]?.detail ?? '')];
  if (reasons.length > 0) {
    found.push({
      what: 'unreadable',
      detail: [
        ...reasons
          .slice(0, 3)
          .map(([reason, those]) => `${listed(those.map(({ version }) => version))}: ${reason}`),
        ...(reasons.length > 3 ? ['The others are skipped for other reasons.'] : []),
      ].join(' '),
      done: left.length === 1 ? 'It is not copied.' : 'They are not copied.',
    });
  }
  return found;
}
