/** Files picked on this page, with fingerprints and checksums. They don't survive a reload. */
import { useSyncExternalStore } from 'react';
import { fileFingerprint } from '../hashing/file-fingerprint.ts';
import { hashFile } from '../hashing/hash-file.ts';
import { canRead, changedFileReason } from './readable-file.ts';

export interface PickedImage {
  /** Of the provider, or of its draft. */
  readonly key: string;
  readonly file: File;
  /** Undefined until computed. */
  readonly fingerprint: string | undefined;
  /** Bytes hashed so far. */
  readonly hashed: number;
  readonly sha256: string | undefined;
  /** Why the checksum couldn't be computed. */
  readonly failure: string | undefined;
}

let images: readonly PickedImage[] = [];
const controllers = new Map<File, AbortController>();
const listeners = new Set<() => void>();

function change(next: readonly PickedImage[]): void {
  images = next;
  for (const listener of listeners) listener();
}

function put(file: File, update: Partial<PickedImage>): void {
  change(images.map((image) => (image.file === file ? { ...image, ...update } : image)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function pickedImage(key: string): PickedImage | undefined {
  return images.find((image) => image.key === key);
}

export function usePickedImages(): readonly PickedImage[] {
  return useSyncExternalStore(subscribe, () => images);
}

/** Adds a file, and begins to compute its checksum. @returns its fingerprint. @throws if it can't be read */
export async function pickImage(key: string, file: File): Promise<string> {
  forgetImage(key);
  const controller = new AbortController();
  controllers.set(file, controller);
  const first = { key, file, fingerprint: undefined, hashed: 0, sha256: undefined, failure: undefined };
  change([...images, first]);
  try {
    const fingerprint = await fileFingerprint(file);
    put(file, { fingerprint });
    void compute(file, controller.signal);
    return fingerprint;
  } catch (error) {
    forgetImage(key);
    throw error;
  }
}

async function compute(file: File, signal: AbortSignal): Promise<void> {
  try {
    const sha256 = await hashFile(file, {
      signal,
      onProgress: (hashed) => {
        put(file, { hashed });
      },
    });
    put(file, { sha256, hashed: file.size });
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : "The file can't be read.";
    put(file, { failure: (await canRead(file)) ? reason : changedFileReason });
  }
}

/** Moves a file along when its draft has become a provider. */
export function moveImage(from: string, to: string): void {
  if (from === to) return;
  change(
    images
      .filter(({ key }) => key !== to)
      .map((image) => (image.key === from ? { ...image, key: to } : image)),
  );
}

export function forgetImage(key: string): void {
  const image = pickedImage(key);
  if (image === undefined) return;
  controllers.get(image.file)?.abort();
  controllers.delete(image.file);
  change(images.filter((other) => other !== image));
}
