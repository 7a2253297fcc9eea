import { pathProblem } from '@gatehouse/api-types/console/path-problem';
import { secretPolicy } from '@gatehouse/api-types/console/secrets';
import { record, scalar } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import type { MapEntries, MapInput, RecordFormSpec } from '#components/form/record-form.ts';
import { fieldName } from '../-fields/form-keys.ts';
import { problemOfValue, isUnseen, type SecretValues } from '../-fields/secret-values.ts';
import { EntryValue } from './EntryValue.tsx';
import { PathNote } from './PathNote.tsx';
import { SecretFieldsInput } from './SecretFieldsInput.tsx';

const data = z.custom<MapEntries>().check(
  z.superRefine((entries, context) => {
    for (const [key, text] of Object.entries(entries)) {
      const problem = isUnseen(text) ? undefined : problemOfValue(text);
      // Reported on the whole field, because a key could contain characters with a meaning in an error's path.
      if (problem !== undefined)
        context.addIssue({ code: 'custom', message: `${nameInWords(fieldName(key))}: ${problem}` });
    }
  }),
);

const input: MapInput = {
  kind: 'map',
  Editor: SecretFieldsInput,
  EntryEditor: EntryValue,
  labelOf: (key) => nameInWords(fieldName(key)),
};

/** The form of an existing secret. */
export const editSecretForm: RecordFormSpec<SecretValues> = {
  noun: 'secret',
  schema: z.object({ data }),
  policy: secretPolicy,
  sections: [{ title: 'Fields', fields: [{ path: 'data', label: 'Fields', input }] }],
};

export interface NewSecretValues extends SecretValues {
  path: string;
}

/** A new secret needs a field, in case a name was typed but not added. */
const someData = data.check(
  z.refine(
    (entries) => Object.keys(entries).length > 0,
    'Add at least one field. Enter its name and press Add.',
  ),
);

/** The form of a new secret. Its path is relative to the folder. */
export function newSecretForm(folder: string, mount: string): RecordFormSpec<NewSecretValues> {
  const path = z.string().check(
    z.superRefine((value, context) => {
      const whole = folder === '' ? value : `${folder}/${value}`;
      const message = value === '' ? 'Enter a path.' : pathProblem(whole);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
  );
  return {
    noun: 'secret',
    schema: z.object({ path, data: someData }),
    policy: record({ path: scalar, ...secretPolicy.fields }),
    sections: [
      {
        title: 'Location',
        fields: [
          {
            path: 'path',
            label: 'Path',
            description: `Below ${folder === '' ? mount : `${mount}/${folder}`}/. Use / to create folders.`,
            isRequired: true,
            input: { kind: 'text', isMono: true, placeholder: 'database' },
            Below: ({ values }) => PathNote({ text: values.path, folder, mount }),
          },
        ],
      },
      { title: 'Fields', fields: [{ path: 'data', label: 'Fields', input }] },
    ],
  };
}

/** A field's name; `""` if empty. */
function nameInWords(name: string): string {
  return name === '' ? '""' : name;
}
