export type { Tone } from './tone.ts';
