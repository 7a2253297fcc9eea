/** What a step of publishing can do to what the registry has from before. What isn't there yet loses nothing. */
import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { Harm } from '@gatehouse/api-types/console/harm';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { readBox, readProvider } from '#upstreams/box-registry/boxes.ts';
import { providerOf, runOf } from './run-answer.ts';

interface StepCall<Params = object> extends ServiceCall {
  readonly params: Params & { readonly environment: string; readonly run: string };
}

interface Chosen {
  readonly body: { readonly existing?: 'use' | 'update' | undefined };
}

/** A box that is there takes the fields of the plan: who sees it may change with them. */
export async function harmOfPublishedBox(
  context: Context,
  call: StepCall & Chosen,
): Promise<Harm | undefined> {
  const { box } = (await runOf(context, call)).plan;
  if (call.body.existing !== 'update' || box === null || box.create === null) return undefined;
  const stored = await readBox(await boxesCaller(context, call), box);
  return stored !== null && stored.is_private !== box.create.is_private ? 'rights' : undefined;
}

/** An image that is there is replaced: by an address, or by the file that this run has or is going to have. */
export async function harmOfPublishedProvider(
  context: Context,
  call: StepCall<{ readonly provider: string }> & Chosen,
): Promise<Harm | undefined> {
  const { run, provider } = call.params;
  const { existing } = call.body;
  const keeps = existing === 'use' && (await context.uploads.of(run, provider)) === undefined;
  return existing === undefined || keeps ? undefined : harmOfImage(context, call);
}

/** The same of a file that is about to be sent. */
export async function harmOfImage(
  context: Context,
  call: StepCall<{ readonly provider: string }>,
): Promise<Harm | undefined> {
  const run = await runOf(context, call);
  const { name: provider, architecture } = providerOf(run, call.params.provider);
  const { box, version } = run.plan;
  if (box === null || version === null) return undefined;
  const place = { username: box.username, name: box.name, version: version.version, provider, architecture };
  const stored = await readProvider(await boxesCaller(context, call), place);
  return stored !== null && hasImage(stored) ? 'destroys' : undefined;
}
