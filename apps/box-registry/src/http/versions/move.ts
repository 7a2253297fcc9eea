import { sendJson } from '@gatehouse/service-kit/http';
import { openVersion } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireVersion } from '../wire/box.ts';

/** PUT …/box/:username/:name/version/:version/release and …/revoke. */
export function moveVersion(move: 'release' | 'revoke'): Operation {
  return async (context, req, res) => {
    const { box, version } = openVersion(context, req, 'publish');
    const moved = await context.versions[move](version.id, context.clock.now());
    sendJson(res, 200, wireVersion(apiOf(context, req), box, moved));
  };
}
