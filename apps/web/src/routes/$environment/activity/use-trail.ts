import { saveFile } from '#lib/save-file.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import {
  useExportActivity,
  useSettleActivity,
  useVerifyActivity,
  type ActivityFilters,
} from '#queries/activity.ts';

/** The actions on the whole trail, with their results. */
export function useTrail(environment: string, filters: ActivityFilters) {
  const verify = useVerifyActivity(environment);
  const settle = useSettleActivity(environment);
  const save = useExportActivity(environment);
  const check = (): void => {
    verify.mutate();
  };
  useShortcut({ keys: 'v', label: 'Verify the trail', group: 'Activity', run: check });
  return {
    verify,
    settle,
    save,
    check,
    exportAll: (): void => {
      save.mutate(filters, {
        onSuccess: (file) => {
          saveFile(file, `gatehouse-activity-${environment}.ndjson`);
        },
      });
    },
  };
}

export type Trail = ReturnType<typeof useTrail>;
