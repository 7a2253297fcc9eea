import type { Label } from './label.ts';

/** What everything has that is stored, listed in pages and guarded by a version. */
export interface Versioned {
  /** Prefix, underscore, ten characters. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** Milliseconds since the epoch. */
  readonly updatedTime: number;
  /** Counts changes, from 1. */
  readonly version: number;
}

/** What people make and name. */
export interface Resource extends Versioned, Label {}

/** Which resources a listing is of: those directly in one container, in all projects of an organisation, or all. */
export type Within = 'all' | { readonly org: string } | { readonly in: string };
