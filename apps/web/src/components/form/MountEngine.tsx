import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { Select } from '@gatehouse/ui/select';
import { TextField } from '@gatehouse/ui/text-field';
import { toasts } from '@gatehouse/ui/toast';
import { useState, type FormEvent } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { FieldProblems } from './field-problems.ts';
import { useFieldProblems } from './use-field-problems.ts';

type Values = Record<'mount' | 'plugin' | 'description', string>;

/** The call that mounts an engine. */
interface Mounting {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly mutate: (
    values: Values,
    then: { onSuccess: (engine: { readonly mount: string }) => void; onError: (error: Error) => void },
  ) => void;
}

/** Asks for a path and mounts an engine. */
export function MountEngine({
  title,
  about,
  suggested,
  mounting,
  plugins,
  taken,
  onClose,
}: {
  title: string;
  /** What to know of the engine before it is mounted. */
  about: string;
  /** The path offered first. */
  suggested: string;
  mounting: Mounting;
  /** The server's plugins to choose from; null if its catalog can't be read. */
  plugins: readonly string[] | null;
  /** The paths of existing mounts. */
  taken: readonly string[];
  /** With the engine's path, if it was mounted. */
  onClose: (mount?: string) => void;
}) {
  const [values, setValues] = useState<Values>(() => ({
    mount: taken.includes(suggested) ? '' : suggested,
    plugin: plugins?.[0] ?? 'aws',
    description: '',
  }));
  const { problems, form, refuse, refuseAnswer, clear } = useFieldProblems<HTMLDivElement>();
  const { error } = mounting;
  const write = (name: keyof Values) => (text: string) => {
    setValues({ ...values, [name]: text });
    clear(name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { ...values, mount: values.mount.trim().replaceAll(/^\/+|\/+$/g, '') };
    if (refuse(problemsOf(body, taken))) return;
    mounting.mutate(body, {
      onSuccess: (engine) => {
        toasts.ok({ title: `Engine ${engine.mount} mounted` });
        onClose(engine.mount);
      },
      onError: (refusal) => {
        if (isApiError(refusal, 'conflict'))
          refuseAnswer({ mount: 'Something is already mounted at this path.' });
        else if (isApiError(refusal, 'invalid-request'))
          refuseAnswer(
            Object.fromEntries(
              (refusal.problem?.fields ?? []).map(({ path, message }) => [path, message] as const),
            ),
          );
      },
    });
  };
  const isElsewhere = error !== null && Object.keys(problems).length === 0;
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!mounting.isPending) onClose();
      }}
      title={title}
      description={about}
      size="small"
      onSubmit={submit}
      footer={
        <>
          <Button
            onPress={() => {
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={mounting.isPending}>
            Mount engine
          </Button>
        </>
      }
    >
      <div ref={form} className="flex flex-col gap-4">
        <TextField
          label="Mount path"
          description="All paths in the engine begin with it."
          isMono
          isRequired
          autoFocus
          autoComplete="off"
          spellCheck="false"
          value={values.mount}
          onChange={write('mount')}
          error={problems['mount']}
        />
        {plugins === null ? (
          <TextField
            label="Plugin"
            description="The plugin catalog can't be read. Enter the plugin's name on the server."
            isMono
            isRequired
            autoComplete="off"
            spellCheck="false"
            value={values.plugin}
            onChange={write('plugin')}
            error={problems['plugin']}
          />
        ) : (
          plugins.length > 1 && (
            <Select
              label="Plugin"
              options={plugins.map((name) => ({ id: name, label: name }))}
              value={values.plugin}
              onChange={write('plugin')}
              error={problems['plugin']}
            />
          )
        )}
        <TextField
          label="Description"
          autoComplete="off"
          value={values.description}
          onChange={write('description')}
          error={problems['description']}
        />
        {isElsewhere && (
          <Banner tone="danger" title={wordsOf(error).title}>
            {wordsOf(error).detail} {wordsOf(error).mend}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}

function problemsOf({ mount, plugin }: Values, taken: readonly string[]): FieldProblems {
  return {
    ...(mount === '' && { mount: 'Enter a mount path.' }),
    ...(taken.includes(mount) && { mount: 'An engine is already mounted at this path.' }),
    ...(plugin.trim() === '' && { plugin: 'Enter the name of a plugin.' }),
  };
}
