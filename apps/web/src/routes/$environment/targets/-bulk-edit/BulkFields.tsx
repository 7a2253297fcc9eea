import type { Target, TargetFields } from '@gatehouse/api-types/console/targets';
import { absent } from '@gatehouse/record-merge/absent';
import { IconButton } from '@gatehouse/ui/icon-button';
import { Select } from '@gatehouse/ui/select';
import { X } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { FormField } from '#components/form/FormField.tsx';
import { bulkFields, commonValue, withValues, type BulkPath } from './bulk-plan.ts';

export interface BulkFieldsProps {
  targets: readonly Target[];
  form: UseFormReturn<TargetFields>;
  /** In the order in which they were chosen. */
  chosen: readonly BulkPath[];
  onChoose: (chosen: readonly BulkPath[]) => void;
}

/** Chooses fields and their values. A field starts with the value that all targets share. */
export function BulkFields({ targets, form, chosen, onChoose }: BulkFieldsProps) {
  const open = bulkFields.filter(({ path }) => !chosen.includes(path));
  return (
    <div className="flex flex-col gap-5">
      {chosen.map((path) => {
        const field = bulkFields.find((one) => one.path === path);
        if (!field) return null;
        return (
          <div key={path} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <FormField
                field={{ ...field, isRequired: false }}
                control={form.control}
                autoFocus={path === chosen.at(-1)}
              />
              <p className="mt-1 text-meta text-ink-2">
                {commonValue(targets, path) === absent
                  ? 'The current values differ.'
                  : 'All have the same current value.'}
              </p>
            </div>
            <IconButton
              icon={X}
              label={`Don't set ${field.label.toLowerCase()}`}
              onPress={() => {
                onChoose(chosen.filter((one) => one !== path));
              }}
            />
          </div>
        );
      })}
      {open.length > 0 && (
        <Select
          key={chosen.length}
          label={chosen.length === 0 ? 'Field to set' : 'Add a field'}
          description={chosen.length === 0 ? 'All targets get the same value.' : undefined}
          placeholder="Choose a field"
          autoFocus={chosen.length === 0}
          value={null}
          options={open.map(({ path, label }) => ({ id: path, label }))}
          onChange={(id) => {
            const path = open.find((field) => field.path === id)?.path;
            if (path === undefined) return;
            const common = commonValue(targets, path);
            if (common !== absent) form.reset(withValues(form.getValues(), new Map([[path, common]])));
            onChoose([...chosen, path]);
          }}
        />
      )}
    </div>
  );
}
