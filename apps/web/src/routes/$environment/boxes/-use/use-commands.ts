/** How to use a box outside the console: with the `vagrant` command or in a Vagrantfile. */
import {
  architectureOf,
  unknownArchitecture,
  type ProviderImage,
} from '@gatehouse/api-types/console/box-values';
import { shellWord } from '#components/form/as-code.ts';

export interface UsedBox {
  /** `username/name` */
  readonly tag: string;
  /** The registry; null if it is the default one of `vagrant`. */
  readonly serverUrl: string | null;
  /** If absent, the newest release. */
  readonly version?: string;
  /** If absent, `vagrant` asks. */
  readonly provider?: string;
  /** If absent, the machine's own. */
  readonly architecture?: string;
}

/** A provider, and whether its image is stored in the registry or elsewhere. */
export interface UsedImage extends ProviderImage {
  readonly hosted?: boolean;
  /** Null if not reported. */
  readonly available?: boolean | null;
}

/** The known architectures that have an image, each once. */
export function architecturesOf(images: readonly UsedImage[]): readonly string[] {
  const known = images
    .filter(({ hosted, available }) => hosted !== true || available !== false)
    .map(architectureOf)
    .filter((architecture) => architecture !== unknownArchitecture);
  return [...new Set(known)].toSorted();
}

/** Downloads the box to the local machine. */
export function addCommand({ tag, serverUrl, version, provider, architecture }: UsedBox): string {
  return [
    ...(serverUrl === null ? [] : [`VAGRANT_SERVER_URL=${shellWord(serverUrl)}`]),
    'vagrant box add',
    shellWord(tag),
    ...(version === undefined ? [] : [`--box-version ${shellWord(version)}`]),
    ...(provider === undefined ? [] : [`--provider ${shellWord(provider)}`]),
    ...(architecture === undefined ? [] : [`--architecture ${shellWord(architecture)}`]),
  ].join(' ');
}

/** A Vagrantfile for a machine based on the box. */
export function vagrantfile({ tag, serverUrl, version, provider, architecture }: UsedBox): string {
  return [
    ...(serverUrl === null ? [] : [`ENV["VAGRANT_SERVER_URL"] ||= ${rubyString(serverUrl)}`, '']),
    'Vagrant.configure("2") do |config|',
    `  config.vm.box = ${rubyString(tag)}`,
    ...(version === undefined ? [] : [`  config.vm.box_version = ${rubyString(version)}`]),
    ...(architecture === undefined ? [] : [`  config.vm.box_architecture = ${rubyString(architecture)}`]),
    ...(provider === undefined ? [] : [`  config.vm.provider ${rubyString(provider)}`]),
    'end',
  ].join('\n');
}

/** A Ruby string without interpolation. */
function rubyString(text: string): string {
  const inner = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('#', String.raw`\#`)
    .replaceAll('\n', String.raw`\n`);
  return `"${inner}"`;
}
