/**
 * Reads names to copy from any common form: one per line or separated by commas, page addresses, lines of a Vagrantfile
 * or `module` block, and the output of `vagrant box list`.
 */
import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import { decoded } from '#lib/decoded.ts';

export interface NotRead {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface Wanted {
  /** `owner`, `owner/name`, `namespace/name/provider`; unique, in their original order. */
  readonly names: readonly string[];
  /** The number of duplicates. */
  readonly repeated: number;
  /** Text without a name. Every word of the text is in a name, or here. */
  readonly notRead: readonly NotRead[];
}

const segment = /^[0-9A-Za-z][0-9A-Za-z._-]*$/;

/** Registries whose addresses are often copied without a scheme. */
const knownHosts = new Set([
  'vagrantcloud.com',
  'app.vagrantup.com',
  'portal.cloud.hashicorp.com',
  'registry.terraform.io',
  'registry.opentofu.org',
  'app.terraform.io',
]);

/** Words that can be alone on a line of code, and name nothing. */
const codeWords = new Set(['end', 'do', 'else', 'begin', 'then']);

export function readWanted(text: string, kind: MoveKind): Wanted {
  const names = new Set<string>();
  const notRead: NotRead[] = [];
  let repeated = 0;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const { found, rest } = readLine(line.trim(), kind);
    for (const name of found) {
      if (names.has(name)) repeated += 1;
      else names.add(name);
    }
    for (const part of rest) notRead.push({ line: index + 1, text: part });
  }
  return { names: [...names], repeated, notRead };
}

interface LineRead {
  readonly found: readonly string[];
  readonly rest: readonly string[];
}

function readLine(line: string, kind: MoveKind): LineRead {
  if (line === '') return { found: [], rest: [] };
  const one = (name: string | undefined): LineRead =>
    name === undefined ? { found: [], rest: [line] } : { found: [name], rest: [] };
  if (/^(?:#|\/\/)/.test(line)) return one(undefined);
  // config.vm.box = "acme/base"; "box": "acme/base"; source = "acme/network/aws"
  const assigned =
    /(?:^|[\s.:"'{,])(?:box(?:_url|_tag|_name)?|source)["']?\s*(?:=>|=|:)\s*(["']?)([^"'\s,]+)\1/.exec(
      line,
    )?.[2];
  if (assigned !== undefined) return one(nameOf(assigned, kind, true));
  const command = /\bvagrant\s+(?:init|box\s+\w+|cloud\s+\w+(?:\s+\w+)?)\s+(.+)$/.exec(line)?.[1];
  if (command !== undefined) {
    return one(
      command
        .split(/\s+/)
        .map((word) => nameOf(word, kind, true))
        .find((name) => name !== undefined),
    );
  }
  // The output of `vagrant box list`.
  const listed = /^(\S+)\s+\(.+\)$/.exec(line)?.[1];
  if (listed !== undefined) return one(nameOf(listed, kind, true));
  const found: string[] = [];
  const rest: string[] = [];
  for (const part of line.replace(/^[-*\u2022]\s+/, '').split(/[,;\t]/)) {
    const words = part.trim().split(/\s+/);
    if (words[0] === '') continue;
    // A single word among others is part of a sentence, unless it looks like a box's name.
    const read = words.map((word) => nameOf(word, kind, words.length > 1));
    if (read.every((name) => name !== undefined)) found.push(...read);
    else rest.push(part.trim());
  }
  return found.length === 0 ? one(undefined) : { found, rest };
}

/** @param isPath whether an owner without a name doesn't count */
function nameOf(given: string, kind: MoveKind, isPath: boolean): string | undefined {
  const word = given.replace(/^["'`<([]+|["'`>)\],]+$/g, '');
  const [, scheme, written = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/i.exec(word) ?? [];
  // Module getters and files.
  if (scheme !== undefined && !/^https?:\/\/$/i.test(scheme)) return undefined;
  const [path = ''] = written.split(/[?#]/);
  // A folder within a module follows two slashes.
  const [before = ''] = scheme === undefined && kind === 'modules' ? path.split('//') : [path];
  let parts = before.replace(/\/+$/, '').split('/').map(decoded);
  const [first = ''] = parts;
  const hasHost =
    scheme !== undefined ||
    knownHosts.has(first.toLowerCase()) ||
    (parts.length > (kind === 'boxes' ? 2 : 3) && /[.:]/.test(first));
  if (hasHost) parts = kind === 'boxes' ? boxPath(parts.slice(1)) : modulePath(parts.slice(1));
  else if (kind === 'boxes' && parts[1] === 'boxes') parts = boxPath(parts);
  const most = kind === 'boxes' ? 2 : 3;
  if (parts.length === 0 || parts.length > most || !parts.every((part) => segment.test(part)))
    return undefined;
  if (parts.length === 1 && !hasHost && (isPath || codeWords.has(first))) return undefined;
  return parts.join('/');
}

/** The owner and name in the path of a box's page or API. */
function boxPath(path: readonly string[]): string[] {
  let parts = [...path];
  if (parts[0] === 'api') {
    parts = parts.slice(2);
    if (/^(?:box|user|vagrant|organization)$/.test(parts[0] ?? '')) parts = parts.slice(1);
  }
  if (parts[0] === 'vagrant' && parts[1] === 'discover') parts = parts.slice(2);
  const [owner, ...rest] = parts;
  if (owner === undefined) return [];
  const [name] = rest[0] === 'boxes' ? rest.slice(1) : rest;
  return name === undefined ? [owner] : [owner, name];
}

/** The namespace, name and provider in the path of a module's page or API. */
function modulePath(path: readonly string[]): string[] {
  const at = path.lastIndexOf('modules');
  let parts = at === -1 ? [...path] : path.slice(at + 1);
  if (at !== -1 && /^(?:private|public)$/.test(parts[0] ?? '')) parts = parts.slice(1);
  if (parts[0] === 'namespaces') parts = parts.slice(1);
  return parts.slice(0, 3);
}
