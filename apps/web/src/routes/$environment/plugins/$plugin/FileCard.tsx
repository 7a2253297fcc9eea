import type { Plugin } from '@gatehouse/api-types/console/plugins';
import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { Link } from '@gatehouse/ui/link';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { argument, shellWord } from '#components/form/as-code.ts';
import { newPluginHref } from '#components/places/plugins.ts';

/** The file that the server doesn't run: what the node found, and how to put the registered binary there. */
export function FileCard({ plugin }: { plugin: Plugin }) {
  const environment = useEnvironment();
  const { type, name, sha256, command, file, state } = plugin;
  if (file === null || (state !== 'mismatch' && state !== 'missing')) return null;
  const isFound = file.sha256 !== '';
  return (
    <Card title="File on the node that responded">
      <div className="-mt-2 flex flex-col gap-3">
        <KeyValueList
          items={[
            { label: 'Path', value: file.path, isMono: true, copyText: file.path },
            ...(isFound
              ? [{ label: 'SHA-256 found', value: file.sha256, isMono: true, copyText: file.sha256 }]
              : []),
          ]}
        />
        <CodeBlock
          label="Install the registered binary"
          code={`echo ${shellWord(`${sha256}  ${command}`)} | sha256sum --check \\\n  && sudo install -m 755 ${argument(command)} ${shellWord(file.path)}`}
        />
        <p className="text-meta text-ink-2">
          Run it on every node, in the folder that has the right binary. It installs nothing if the SHA-256
          differs.
          {isFound && (
            <>
              {' '}
              If the file found is the right one,{' '}
              <Link href={newPluginHref(environment.id, { type, name, command, sha256: file.sha256 })}>
                register it as another version
              </Link>
              .
            </>
          )}
        </p>
      </div>
    </Card>
  );
}
