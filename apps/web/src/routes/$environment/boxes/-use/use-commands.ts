/** How a box is used without the console: with the `vagrant` command, and in a Vagrantfile. */
import {
  architectureOf,
  unknownArchitecture,
  type ProviderImage,
} from '@gatehouse/api-types/console/box-values';
import { shellWord } from '#components/form/as-code.ts';

export interface UsedBox {
  /** `username/name` */
  readonly tag: string;
  /** The registry, where it is not the one that `vagrant` asks by itself. */
  readonly serverUrl: string | null;
  /** Without it the newest that is released. */
  readonly version?: string;
  /** Without it `vagrant` asks which. */
  readonly provider?: string;
  /** Without it `vagrant` takes the machine's own. */
  readonly architecture?: string;
}

/** A provider, and whether the registry has its image; it may be elsewhere. */
export interface UsedImage extends ProviderImage {
  readonly hosted?: boolean;
  /** Null where the registry does not tell. */
  readonly available?: boolean | null;
}

/** Architectures that can be asked for, each once: those with an image that say their own. */
export function architecturesOf(images: readonly UsedImage[]): readonly string[] {
  const known = images
    .filter(({ hosted, available }) => hosted !== true || available !== false)
    .map(architectureOf)
    .filter((architecture) => architecture !== unknownArchitecture);
  return [...new Set(known)].toSorted();
}

/** Fetches the box into the machine's own store. */
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

/** A Vagrantfile with a machine that is made of the box. */
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

/** A string of Ruby in which nothing is evaluated. */
function rubyString(text: string): string {
  const inner = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('#', String.raw`\#`)
    .replaceAll('\n', String.raw`\n`);
  return `"${inner}"`;
}
