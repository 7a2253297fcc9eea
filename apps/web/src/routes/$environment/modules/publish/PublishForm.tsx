import * as at from '@gatehouse/api-types/console/addresses/modules';
import { withoutBuild } from '@gatehouse/api-types/console/module-values';
import { publishFields, publishPlace, type Module } from '@gatehouse/api-types/console/modules';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { lazy } from '@gatehouse/ui/lazy';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { TextField } from '@gatehouse/ui/text-field';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { Failure } from '#components/errors/Failure.tsx';
import { DirtyGuard } from '#components/form/DirtyGuard.tsx';
import { problemsOf, type FieldProblems } from '#components/form/field-problems.ts';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { moduleHref } from '#components/places/modules.ts';
import { isApiError } from '#lib/api-error.ts';
import { byteSize } from '#lib/byte-size.ts';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import { wordsOf } from '#lib/error-words.ts';
import { proposedOver } from '#lib/proposed-over.ts';
import { usePublishModule } from '#queries/module-changes.ts';
import { modulesMayQuery, moduleQuery, moduleVersionQuery } from '#queries/modules.ts';
import { reasonAgainstPublishing } from '#routes/$environment/modules/-manage/may.ts';
import { moduleSetUp, publishAsCode } from '#routes/$environment/modules/-manage/module-as-code.ts';
import { compareContent } from '#routes/$environment/modules/-upgrade/compare-content.ts';
import { Before, SilentBreakNote } from './Before.tsx';
import { namesOf } from './choose-files.ts';
import { Chosen } from './Chosen.tsx';
import { ModulePicker } from './ModulePicker.tsx';
import { silentBreak, suggestedVersions, versionBefore } from './next-version.ts';
import type { PublishSearch } from './publish-search.ts';
import { useArchive } from './use-archive.ts';

// Loads after the form: it is further down, or needs an archive.
const AsCode = lazy(async () => ({ default: (await import('#components/form/AsCode.tsx')).AsCode }));
const ReadModule = lazy(async () => ({ default: (await import('./ReadModule.tsx')).ReadModule }));

const { description: descriptionField, source: sourceField } = publishFields.shape;
const formSchema = z.strictObject({
  ...publishPlace.shape,
  description: descriptionField,
  source: sourceField,
});
type FormValues = z.output<typeof formSchema>;

const isAddress = z.pick(publishPlace, { namespace: true, name: true, provider: true });

/** An archive, its content, its place in the registry, and what it changes for users of the previous version. */
export function PublishForm({ environment, given }: { environment: string; given: PublishSearch }) {
  const navigate = useNavigate();
  const publish = usePublishModule(environment);
  const { problems, form, refuse, refuseAnswer, clear } = useFieldProblems<HTMLFormElement>();
  const hasLeft = useRef(false);
  const [values, setValues] = useState({
    namespace: given.namespace ?? '',
    name: given.name ?? '',
    provider: given.provider ?? '',
    description: '',
    source: '',
  });
  /** Undefined while the suggested number is used. */
  const [number, setNumber] = useState<string>();
  /** The values to look up the module by, updated when a field loses focus. */
  const [looked, setLooked] = useState(values);
  const [isAsking, setAsking] = useState(false);

  /** The values that the previous archive suggested. */
  const proposed = useRef({ name: '', provider: '' });

  const { state, choose, retry } = useArchive(environment, ({ name, files }) => {
    const before = proposed.current;
    const names = namesOf(files?.folder ?? name);
    const now = {
      name: names.name.replaceAll(/[^0-9A-Za-z_-]/g, '-').slice(0, 64),
      provider: names.provider,
    };
    proposed.current = now;
    setValues((typed) => {
      const next = {
        ...typed,
        name: proposedOver(typed.name, before.name, now.name),
        provider: proposedOver(typed.provider, before.provider, now.provider),
      };
      setLooked(next);
      return next;
    });
    clear();
  });
  const archive = state.kind === 'read' ? state.archive : undefined;

  const isKnown = isAddress.safeParse(pickAddress(looked)).success;
  const place = { environment, ...pickAddress(looked) };
  const module = useQuery({ ...moduleQuery(place), enabled: isKnown });
  const known = isKnown ? module.data : undefined;
  const latest = known && versionBefore(known);
  const latestVersion = useQuery({
    ...moduleVersionQuery(place, latest ?? ''),
    enabled: latest !== undefined && archive !== undefined,
  });
  const comparison =
    archive && latestVersion.data && compareContent(latestVersion.data.content, archive.content);
  const isNew = isKnown && isApiError(module.error, 'not-found');
  // Suggests a number once the previous version and the changes are known.
  const isCompared = archive !== undefined && (latest === undefined || !latestVersion.isLoading);
  const suggestions =
    (isNew || known !== undefined) && isCompared ? suggestedVersions(latest, comparison?.verdict) : [];
  const version = number ?? suggestions[0]?.version ?? '';
  const before = known && versionBefore(known, version);
  const beforeVersion = useQuery({
    ...moduleVersionQuery(place, before ?? ''),
    enabled: before !== undefined && archive !== undefined,
  });
  const change = archive && beforeVersion.data && compareContent(beforeVersion.data.content, archive.content);
  const breaks =
    change && before !== undefined && known
      ? silentBreak(before, version.trim(), change, known.versions)
      : undefined;

  const fields: FormValues = { ...values, version };
  const tag = `${values.namespace}/${values.name}/${values.provider} ${version}`.trim();
  const { isAsked, asks } = useLadder(at.moduleVersions.publish.harm, version.trim());
  const may = useQuery(modulesMayQuery(environment)).data;
  const cannotPublish =
    may === null
      ? 'The console has read-only access to this module registry.'
      : reasonAgainstPublishing(known?.may ?? may ?? null);

  const set = (name: keyof typeof values) => (value: string) => {
    setValues((typed) => ({ ...typed, [name]: value }));
    clear(name);
  };
  const use = (value: string): void => {
    setNumber(value);
    clear('version');
  };
  const look = (): void => {
    setLooked(values);
  };
  const send = (): void => {
    if (archive === undefined) return;
    const { description, source, ...to } = formSchema.parse(fields);
    publish.mutate(
      { place: to, body: { archive: archive.base64, description, source } },
      {
        onSuccess: () => {
          hasLeft.current = true;
          toasts.ok({ title: `${tag} published` });
          void navigate({ href: moduleHref({ environment, ...to }, to.version) });
        },
        onError: (error) => {
          refuseAnswer(fieldProblems(error, to.version));
        },
        onSettled: () => {
          setAsking(false);
        },
      },
    );
  };
  const submit = (): void => {
    if (publish.isPending || cannotPublish !== undefined) return;
    const same = known?.versions.find(
      (other) => withoutBuild(other.version) === withoutBuild(version.trim()),
    );
    const found: FieldProblems = {
      ...problemsOf(formSchema, fields),
      ...(same !== undefined && { version: taken(same.version) }),
      ...(archive === undefined && {
        archive:
          state.kind === 'none' || state.kind === 'refused'
            ? 'Choose a folder or an archive first.'
            : 'Wait until the console has read the archive.',
      }),
      ...(beforeVersion.isLoading && {
        archive: `Wait until the console has compared the archive with ${before ?? 'the version before'}.`,
      }),
    };
    publish.reset();
    if (refuse(found)) return;
    if (isAsked || breaks !== undefined) setAsking(true);
    else send();
  };
  const wouldLose = state.kind !== 'none' || Object.values(values).join('') !== Object.values(given).join('');
  const failure =
    publish.error !== null &&
    !isApiError(publish.error, 'confirmation-required') &&
    Object.keys(fieldProblems(publish.error, version)).length === 0
      ? wordsOf(publish.error)
      : undefined;
  const text = { autoComplete: 'off', spellCheck: 'false' } as const;
  return (
    <form
      ref={form}
      noValidate
      aria-label="Publish a module"
      className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-6 p-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,400px)] wide:p-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <DirtyGuard
        wouldLose={() => wouldLose && !hasLeft.current && mayAskBeforeLeaving()}
        count={wouldLose}
      />
      <div className="flex min-w-0 flex-col gap-5">
        {cannotPublish === undefined ? (
          <div className="flex flex-col gap-3">
            <ModulePicker
              isChosen={state.kind !== 'none'}
              error={problems['archive']}
              onPick={(find) => {
                clear();
                publish.reset();
                choose(find);
              }}
            />
            <Chosen state={state} onRetry={retry} />
          </div>
        ) : (
          <Banner tone="info" announce="none" title="You can't publish here">
            {cannotPublish}
          </Banner>
        )}
        {archive !== undefined && (
          <Suspense fallback={null}>
            <ReadModule content={archive.content} />
          </Suspense>
        )}
        <div className="grid grid-cols-1 gap-4 narrow:grid-cols-3">
          <TextField
            {...text}
            label="Namespace"
            description="Created if it doesn't exist."
            isRequired
            isMono
            placeholder="acme"
            value={values.namespace}
            onChange={set('namespace')}
            onBlur={look}
            error={problems['namespace']}
          />
          <TextField
            {...text}
            label="Name"
            description="What the module builds."
            isRequired
            isMono
            placeholder="network"
            value={values.name}
            onChange={set('name')}
            onBlur={look}
            error={problems['name']}
          />
          <TextField
            {...text}
            label="Provider"
            description="Its main provider."
            isRequired
            isMono
            placeholder="aws"
            value={values.provider}
            onChange={set('provider')}
            onBlur={look}
            error={problems['provider']}
          />
        </div>
        <div className="flex flex-col gap-2">
          <TextField
            {...text}
            label="Version"
            description={`A published version can't be changed or published again. ${newest(known, isNew, latest)}`}
            isRequired
            isMono
            placeholder="1.2.0"
            value={version}
            onChange={use}
            error={problems['version']}
          />
          {suggestions.length > 0 && (
            <div role="group" aria-label="Suggestions" className="flex flex-wrap items-center gap-1.5">
              {suggestions.map((suggestion) => (
                <Button
                  key={suggestion.version}
                  size={28}
                  onPress={() => {
                    use(suggestion.version);
                  }}
                >
                  {suggestion.version} · {suggestion.word}
                </Button>
              ))}
            </div>
          )}
        </div>
        {breaks && <SilentBreakNote {...breaks} onUse={use} />}
        {isKnown && module.isError && !isNew && (
          <Failure error={module.error} onRetry={() => void module.refetch()} />
        )}
        {archive !== undefined && before !== undefined && (
          <Before place={place} before={before} content={archive.content} />
        )}
        <TextField
          label="Description"
          description="One line, shown in lists. If empty, the first paragraph of the README is used."
          autoComplete="off"
          value={values.description}
          onChange={set('description')}
          error={problems['description']}
        />
        <TextField
          {...text}
          label="Source"
          description="URL of the module's source code."
          isMono
          type="url"
          placeholder="https://git.example.com/acme/terraform-aws-network"
          value={values.source}
          onChange={set('source')}
          error={problems['source']}
        />
        {failure !== undefined && (
          <Banner tone="danger" title={failure.title}>
            {failure.detail} {failure.mend} Your entries are kept.
            {failure.requestId !== undefined && (
              <span className="font-mono text-meta"> Request {failure.requestId}</span>
            )}
          </Banner>
        )}
        <div className="flex flex-wrap items-center justify-end gap-4 border-t border-line pt-4">
          {publish.isPending && archive !== undefined && (
            <div className="min-w-0 flex-1 basis-60">
              <ProgressBar label={`Publishing ${tag}`} valueLabel={byteSize(archive.size)} />
            </div>
          )}
          <Button
            type="submit"
            variant="primary"
            isPending={publish.isPending}
            disabledReason={cannotPublish}
          >
            Publish version
          </Button>
        </div>
      </div>
      <Suspense fallback={null}>
        <AsCode code={publishAsCode(fields, values)} note={`Without the console: ${moduleSetUp}`} />
      </Suspense>
      {isAsking && (
        <ConfirmDialog
          isOpen
          onOpenChange={(isOpen) => {
            if (!isOpen && !publish.isPending) setAsking(false);
          }}
          title={`Publish ${tag}?`}
          confirmLabel="Publish version"
          tone="primary"
          {...asks}
          isPending={publish.isPending}
          onConfirm={send}
        >
          Clients whose version constraint allows this version will use it.
          {breaks && ` ${breaks.title}. ${breaks.detail}`}
        </ConfirmDialog>
      )}
    </form>
  );
}

function pickAddress({ namespace, name, provider }: Omit<FormValues, 'version'>) {
  return { namespace: namespace.trim(), name: name.trim(), provider: provider.trim() };
}

function newest(known: Module | undefined, isNew: boolean, latest: string | undefined): string {
  if (isNew) return 'This is the first version of a new module.';
  return known === undefined || latest === undefined ? '' : `The latest version is ${latest}.`;
}

function taken(version: string): string {
  return `${version} was published before. Numbers can't be reused, even if the version was deleted. Choose another.`;
}

/** A refusal's messages by form field. */
function fieldProblems(error: unknown, version: string): FieldProblems {
  if (isApiError(error, 'conflict')) return { version: taken(version) };
  if (!isApiError(error, 'invalid-request')) return {};
  const named = error.problem?.fields?.filter(({ path }) => path in formSchema.shape || path === 'archive');
  return Object.fromEntries(named?.map(({ path, message }) => [path, message]) ?? []);
}
