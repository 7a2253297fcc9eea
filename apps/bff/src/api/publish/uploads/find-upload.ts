import type { Operation } from '#operation/operation.ts';
import { uploadAnswer } from '#uploads/uploads.ts';

export const findUpload: Operation<'publishUploads.find'> = async (context, { params, query, session }) => {
  const owner = { personId: session.personId, environment: params.environment };
  const rows = await context.uploads.find(owner, query.size, query.fingerprint);
  const found = await Promise.all(
    rows.map(async (row) => {
      const run = await context.runs.get(owner, row.run_id);
      const provider = run?.plan.providers.find(({ id }) => id === row.provider_id);
      if (run === undefined || provider === undefined) return [];
      const { box, version } = run.plan;
      return [
        {
          run: run.id,
          run_state: run.state,
          provider: provider.id,
          provider_name: provider.name,
          architecture: provider.architecture,
          box: box === null ? null : `${box.username}/${box.name}`,
          version: version?.version ?? null,
          upload: uploadAnswer(row),
        },
      ];
    }),
  );
  return { uploads: found.flat() };
};
