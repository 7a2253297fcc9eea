import { sha256Of, type Plugin } from '@gatehouse/api-types/console/plugins';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { PickBinary } from './PickBinary.tsx';
import { useFileHash } from './use-file-hash.ts';
import type { HashedFile } from './verdict.ts';

/** Is this the binary that is registered? */
export function CompareCard({
  plugin,
  onPick,
}: {
  plugin: Plugin;
  /** Hears of the file that was picked; undefined once another hash is typed. */
  onPick: (file: HashedFile | undefined) => void;
}) {
  const [text, setText] = useState('');
  const { hash, pick } = useFileHash((file) => {
    setText(file.sha256);
    onPick(file);
  });
  const found = sha256Of(text);
  return (
    <Card title="Check a binary">
      <div className="flex flex-col gap-3">
        <PickBinary hash={hash} onPick={pick}>
          Choose or drop a binary to compare it with the registration. It stays in this browser.
        </PickBinary>
        <TextField
          label="SHA-256 to compare"
          description="In hex or base64."
          isMono
          autoComplete="off"
          spellCheck="false"
          value={text}
          onChange={(next) => {
            setText(next);
            onPick(undefined);
          }}
          error={
            text.trim() === '' || found !== undefined ? undefined : 'Enter 64 hexadecimal digits, or base64.'
          }
        />
        {found !== undefined &&
          (plugin.sha256 === '' ? (
            <Banner tone="info" title="Nothing to compare with">
              The server reports no hash for this registration. The hash is {found}.
            </Banner>
          ) : found === plugin.sha256 ? (
            <Banner tone="ok" title="Same binary">
              Its SHA-256 matches the registration. Each node compares its own copy, so the file must be on
              every node.
            </Banner>
          ) : (
            <Banner tone="danger" title="The hash differs, so it won't run">
              <span className="font-mono wrap-anywhere">{found}</span> isn't the registered hash.
            </Banner>
          ))}
      </div>
    </Card>
  );
}
