import { newPlugin, sha256Of, type Plugin, type PluginMount } from '@gatehouse/api-types/console/plugins';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Checkbox } from '@gatehouse/ui/checkbox';
import { LinkButton } from '@gatehouse/ui/link';
import { ListField } from '@gatehouse/ui/list-field';
import { PairsField } from '@gatehouse/ui/pairs-field';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { Select } from '@gatehouse/ui/select';
import { TextField } from '@gatehouse/ui/text-field';
import { useRef, useState, type ReactNode } from 'react';
import { DirtyGuard } from '#components/form/DirtyGuard.tsx';
import { problemsOf } from '#components/form/field-problems.ts';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { mountWords } from '#components/plugins/plugin-words.ts';
import { useAsked } from '#components/record/use-asked.ts';
import { counted } from '#lib/counted.ts';
import { proposedOver } from '#lib/proposed-over.ts';
import { versionsOf, type Catalog } from '../../-catalog/catalog.ts';
import { PickBinary } from '../../-check/PickBinary.tsx';
import { useFileHash } from '../../-check/use-file-hash.ts';
import { versionIn } from '../../-check/verdict.ts';
import { envProblem } from '../../-editing/plugin-form.ts';
import type { Upgrade } from './upgrade-steps.ts';

/** A version that isn't registered yet. */
const fresh = 'new';

/** The options of an upgrade: the version, the mounts, and whether to set or pin it. */
export function UpgradeForm({
  known,
  isStale,
  cancelHref,
  onBegin,
}: {
  known: {
    readonly plugin: Plugin;
    readonly catalog: Catalog;
    readonly mounts: readonly PluginMount[];
  };
  isStale: boolean;
  cancelHref: string;
  onBegin: (upgrade: Upgrade) => void;
}) {
  // Keeps the pin and the mounts' versions as you saw them, so that the upgrade doesn't overwrite changes unseen.
  const { plugin, catalog, mounts } = useAsked(known, isStale);
  // The plugin's version can be the target if no mount runs it yet.
  const isUnused = plugin.mounts?.length === 0;
  const others = versionsOf(catalog.items, plugin).filter(
    ({ id, version, builtin }) => (isUnused || id !== plugin.id) && version !== '' && !builtin,
  );
  const [target, setTarget] = useState(
    isUnused && others.some(({ id }) => id === plugin.id) ? plugin.id : fresh,
  );
  const [version, setVersion] = useState('');
  const [sha256, setSha256] = useState('');
  const [command, setCommand] = useState(plugin.command);
  const [args, setArgs] = useState<readonly string[]>(plugin.args);
  const [env, setEnv] = useState<Readonly<Record<string, string>>>({});
  const [by, setBy] = useState<Upgrade['by']>('tune');
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set(mounts.map(({ path }) => path)));
  const { problems, form, refuse, clear } = useFieldProblems<HTMLFormElement>();
  const proposed = useRef(plugin.command);
  const { hash, pick } = useFileHash((file) => {
    setSha256(file.sha256);
    clear('sha256');
    setVersion((typed) => (typed === '' ? (versionIn(file.name) ?? '') : typed));
    // Proposes the release's file name, because the nodes keep several versions side by side.
    const before = proposed.current;
    proposed.current = file.name;
    setCommand((typed) => proposedOver(typed, before, file.name));
    clear('command');
  });
  const isNew = target === fresh;
  const isImage = plugin.oci_image !== '';
  const chosen = by === 'pin' ? mounts : mounts.filter(({ path }) => paths.has(path));
  const isDirty = version !== '' || sha256 !== '' || Object.keys(env).length > 0;
  const [isLeaving, setLeaving] = useState(false);

  const begin = (): void => {
    const entries = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const fields = {
      type: plugin.type,
      name: plugin.name,
      version: withV(version),
      sha256: sha256Of(sha256) ?? sha256,
      command,
      args: [...args],
      oci_image: plugin.oci_image,
      runtime: plugin.runtime,
      ...(entries.length > 0 && { env: entries }),
    };
    const wrongEnv = envProblem(env);
    const found = {
      ...(isNew && {
        ...problemsOf(newPlugin, fields),
        ...(version.trim() === '' && { version: 'Enter the version to upgrade to.' }),
        ...(version.trim() !== '' &&
          withV(version) === plugin.version && {
            version: 'This version is the one to upgrade from. Enter another one.',
          }),
        ...(sha256.trim() === '' && {
          sha256: isImage ? 'Enter the SHA-256 of the image.' : 'Choose the binary, or enter its SHA-256.',
        }),
        ...(command.trim() === '' && !isImage && { command: 'Enter the file name of the binary.' }),
        ...(wrongEnv !== undefined && { env: wrongEnv }),
      }),
      ...(chosen.length === 0 && { mounts: 'Choose at least one mount.' }),
    };
    if (refuse(found)) return;
    const there = others.find(({ id }) => id === target);
    setLeaving(true);
    onBegin({
      from: plugin,
      version: there?.version ?? fields.version,
      sha256: there?.sha256 ?? fields.sha256,
      register: there === undefined ? fields : undefined,
      by,
      mounts: chosen,
      pinned: plugin.pinned_version ?? '',
    });
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
      className="mx-auto flex w-full max-w-180 flex-col gap-6 p-4 wide:p-6"
    >
      {plugin.state === 'unsupported' && (
        <Banner tone="warn" title="This server only runs its built-in plugins" announce="none">
          The reload will fail, and the current processes keep running.
        </Banner>
      )}
      <p className="text-body text-ink-2">
        The new version is registered next to the old one, the mounts are set to it and reloaded, and the
        running version is checked. The upgrade stops at the first step that fails. You can then retry or roll
        back.
      </p>
      <Section title="New version">
        {others.length > 0 && (
          <Select
            label="Upgrade to"
            value={target}
            options={[
              { id: fresh, label: "A version that isn't registered yet" },
              ...others.map(({ id, version: known }) => ({ id, label: known })),
            ]}
            onChange={(next) => {
              setTarget(next);
              clear();
            }}
          />
        )}
        {isNew && (
          <>
            {!isImage && (
              <PickBinary hash={hash} onPick={pick}>
                Choose the new binary to compute its SHA-256. The file stays in this browser. Copy it to the
                plugin directory of every node yourself before you begin.
              </PickBinary>
            )}
            <TextField
              label="Version"
              isRequired
              isMono
              placeholder="v1.3.0"
              description={
                isImage
                  ? `The server uses the version as the tag of ${plugin.oci_image}, without a leading v.`
                  : undefined
              }
              autoComplete="off"
              spellCheck="false"
              value={version}
              error={problems['version']}
              onChange={(next) => {
                setVersion(next);
                clear('version');
              }}
            />
            <TextField
              label="SHA-256"
              isRequired
              description={isImage ? "The image's digest, in hex or base64." : 'In hex or base64.'}
              isMono
              autoComplete="off"
              spellCheck="false"
              value={sha256}
              error={problems['sha256']}
              onChange={(next) => {
                setSha256(next);
                clear('sha256');
              }}
            />
            <TextField
              label="Command"
              description={
                isImage
                  ? "Replaces the image's entry point. Leave empty to keep it."
                  : 'The file in the plugin directory. Give the new binary its own name, so that the old binary can still be started.'
              }
              isMono
              autoComplete="off"
              spellCheck="false"
              value={command}
              error={problems['command']}
              onChange={(next) => {
                setCommand(next);
                clear('command');
              }}
            />
            <ListField label="Arguments" noun="argument" isMono value={args} onChange={setArgs} />
            <PairsField
              label="Environment"
              description="The old version's entries can't be read. Enter all entries that the new version needs."
              isSecret
              value={env}
              error={problems['env']}
              onChange={(next) => {
                setEnv(next);
                clear('env');
              }}
            />
          </>
        )}
      </Section>
      <Section title="Mounts">
        {plugin.pinned_version !== null && (
          <RadioGroup
            label="Upgrade method"
            look="card"
            direction="row"
            value={by}
            onChange={(next) => {
              setBy(next === 'pin' ? 'pin' : 'tune');
              clear('mounts');
            }}
            options={[
              {
                value: 'tune',
                label: "Set each mount's version",
                description: 'Upgrades only the mounts you choose',
              },
              {
                value: 'pin',
                label: 'Pin the version',
                description: 'Upgrades all current and future mounts, whatever version they are set to',
              },
            ]}
          />
        )}
        <fieldset
          className="flex flex-col gap-2"
          aria-describedby={problems['mounts'] === undefined ? undefined : 'upgrade-mounts-problem'}
        >
          <legend className="mb-1 text-body font-medium text-ink-1">
            {by === 'pin' ? 'All mounts of the plugin' : 'Mounts to upgrade'}
          </legend>
          {mounts.map((mount) => (
            <Checkbox
              key={mount.path}
              isSelected={by === 'pin' || paths.has(mount.path)}
              disabledReason={by === 'pin' ? 'A pin applies to every mount.' : undefined}
              onChange={(isOn) => {
                const next = new Set(paths);
                if (isOn) next.add(mount.path);
                else next.delete(mount.path);
                setPaths(next);
                clear('mounts');
              }}
            >
              {mountWords(mount)}
            </Checkbox>
          ))}
          {problems['mounts'] !== undefined && (
            <p id="upgrade-mounts-problem" role="alert" className="text-meta text-danger">
              {problems['mounts']}
            </p>
          )}
        </fieldset>
      </Section>
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary">
          {`Upgrade ${counted(chosen.length, 'mount')}`}
        </Button>
        <LinkButton href={cancelHref}>Cancel</LinkButton>
      </div>
      <DirtyGuard wouldLose={() => isDirty && !isLeaving} count={isDirty} />
    </form>
  );
}

/** Adds the v that servers write before versions. */
function withV(version: string): string {
  const text = version.trim();
  return text === '' || text.startsWith('v') ? text : `v${text}`;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="border-b border-line pb-1.5 text-heading font-semibold text-ink-1">{title}</h2>
      {children}
    </section>
  );
}
