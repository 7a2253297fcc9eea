import type { Label } from './label.ts';

/** The common fields of all records that are stored, listed in pages and updated by version. */
export interface Versioned {
  /** A prefix, an underscore and ten characters. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** Milliseconds since the epoch. */
  readonly updatedTime: number;
  /** Counts changes, from 1. */
  readonly version: number;
}

/** A record that users create and name. */
export interface Resource extends Versioned, Label {}

/** The scope of a listing: everything, all projects of one organization, or one container. */
export type Within = 'all' | { readonly org: string } | { readonly in: string };
