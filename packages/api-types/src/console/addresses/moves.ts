/** Moves: jobs that copy boxes or modules from another registry. */
import { addresses } from './address.ts';

const base = '/api/environments/:environment/moves';
const move = `${base}/:move` as const;

export const moves = addresses('moves', {
  list: { method: 'GET', path: base },
  get: { method: 'GET', path: move },
  items: { method: 'GET', path: `${move}/items` },
  item: { method: 'GET', path: `${move}/items/:item` },
  create: { method: 'POST', path: base, audit: 'move.create' },
  choose: { method: 'PUT', path: `${move}/choice`, audit: 'move.choose' },
  start: { method: 'POST', path: `${move}/start`, audit: 'move.start', harm: 'reaches' },
  pause: { method: 'POST', path: `${move}/pause`, audit: 'move.pause' },
  resume: { method: 'POST', path: `${move}/resume`, audit: 'move.resume', harm: 'reaches' },
  retry: { method: 'POST', path: `${move}/retry`, audit: 'move.retry', harm: 'reaches' },
  compare: { method: 'POST', path: `${move}/compare`, audit: 'move.compare' },
  abandon: { method: 'POST', path: `${move}/abandon`, audit: 'move.abandon' },
  report: { method: 'GET', path: `${move}/report` },
});
