import { sha256Of, type Plugin } from '@gatehouse/api-types/console/plugins';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { PickBinary } from './PickBinary.tsx';
import { useFileHash } from './use-file-hash.ts';
import type { HashedFile } from './verdict.ts';

/** Compares a binary with the registered one. */
export function CompareCard({
  plugin,
  onPick,
}: {
  plugin: Plugin;
  /** Called with the chosen file; undefined once another hash is typed. */
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
          Choose or drop a binary to compare it with the registration. The file stays in this browser.
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
            text.trim() === '' || found !== undefined
              ? undefined
              : 'Enter the hash as 64 hexadecimal digits, or in base64.'
          }
        />
        {found !== undefined &&
          (plugin.sha256 === '' ? (
            <Banner tone="info" title="Nothing to compare with">
              The server reports no hash for this registration. The hash you entered is {found}.
            </Banner>
          ) : found === plugin.sha256 ? (
            <Banner tone="ok" title="Same binary">
              Its SHA-256 matches the registration. Each node compares its own copy, so the file must be on
              every node.
            </Banner>
          ) : (
            <Banner tone="danger" title="The hash differs, so the server won't run this binary">
              <span className="font-mono wrap-anywhere">{found}</span> isn't the registered SHA-256.
            </Banner>
          ))}
      </div>
    </Card>
  );
}
