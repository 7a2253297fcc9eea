import { SecretFileError, type FileEntry } from '@gatehouse/api-types/console/secret-files';
import { importLimitBytes } from '@gatehouse/api-types/console/secret-transfers';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { CodeBlock } from '@gatehouse/ui/code';
import { LinkButton } from '@gatehouse/ui/link';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { TextArea } from '@gatehouse/ui/text-area';
import { TextField } from '@gatehouse/ui/text-field';
import { X } from 'lucide-react';
import { useState } from 'react';
import { FilePicker } from '#components/form/FilePicker.tsx';
import { folderHref, fullName } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import {
  kindOfImport,
  readImportText,
  type ImportShape,
} from '#routes/$environment/secrets/-files/read-import.ts';

interface PickedFile {
  readonly name: string;
  readonly text: string;
}

const example = `{
  "app/database": { "user": "app", "password": "…" },
  "app/mail": { "token": "…" }
}`;

/** The source of the secrets: a file or pasted text. */
export function ImportSource({
  place,
  onRead,
}: {
  place: SecretPlace;
  onRead: (entries: readonly FileEntry[]) => void;
}) {
  const [file, setFile] = useState<PickedFile>();
  const [typed, setTyped] = useState('');
  const [shape, setShape] = useState<ImportShape>();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<SecretFileError>();
  const text = file?.text ?? typed;
  const seen = kindOfImport(text);
  const kind = seen.format === 'dotenv' || shape === undefined ? seen : { ...seen, shape };
  const isOne = text.trim() !== '' && kind.shape === 'one';

  const pick = async (picked: File | undefined): Promise<void> => {
    if (picked === undefined) return;
    setShape(undefined);
    if (picked.size > importLimitBytes) {
      setProblem(
        new SecretFileError(
          `The file is ${(picked.size / 1024 / 1024).toFixed(1)} MiB. You can import up to ${String(importLimitBytes / 1024 / 1024)} MiB at a time.`,
        ),
      );
      return;
    }
    try {
      const bytes = new TextDecoder('utf-8', { fatal: true }).decode(await picked.arrayBuffer());
      setFile({ name: picked.name, text: bytes });
      setProblem(undefined);
      // `database.env` contains the fields of the secret `database`.
      setName((before) =>
        before === '' ? picked.name.replace(/\.(env|json|txt)$/i, '').replace(/^\./, '') : before,
      );
    } catch {
      setProblem(new SecretFileError("The file isn't UTF-8 text."));
    }
  };
  const read = (): void => {
    try {
      const entries = readImportText(text, kind, place.path, name.trim());
      setProblem(undefined);
      onRead(entries);
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      setProblem(error);
    }
  };
  return (
    <form
      noValidate
      aria-label={`Import into ${fullName(place)}`}
      className="mx-auto flex w-full max-w-300 flex-col gap-8 p-4 wide:flex-row wide:p-6"
      onSubmit={(event) => {
        event.preventDefault();
        read();
      }}
    >
      <div className="flex min-w-0 flex-1 flex-col gap-6">
        <FilePicker
          label="File to import"
          buttonLabel="Choose a file"
          accept=".json,.env,.txt,application/json,text/plain"
          onPick={([picked]) => void pick(picked)}
          picked={
            file && (
              <>
                <span className="min-w-0 flex-1 text-body text-ink-1 wrap-anywhere">
                  <span className="font-mono">{file.name}</span>
                  <span className="text-ink-2">
                    , {new TextEncoder().encode(file.text).length.toLocaleString('en')} bytes
                  </span>
                </span>
                <Button
                  size={28}
                  icon={X}
                  onPress={() => {
                    setFile(undefined);
                    setProblem(undefined);
                  }}
                >
                  Remove
                </Button>
              </>
            )
          }
        >
          or drop it here. JSON or dotenv.
        </FilePicker>
        {file === undefined && (
          <TextArea
            label="Or paste text"
            description="Newlines and quotes in values are kept."
            isMono
            rows={8}
            maxRows={20}
            spellCheck="false"
            value={typed}
            onChange={(value) => {
              setTyped(value);
              setProblem(undefined);
            }}
          />
        )}
        {text.trim() !== '' && kind.format === 'json' && (
          <RadioGroup
            label="Contents"
            look="card"
            direction="row"
            value={kind.shape}
            onChange={(value) => {
              setShape(value === 'one' ? 'one' : 'several');
            }}
            options={[
              { value: 'several', label: 'Several secrets', description: 'The keys are paths.' },
              { value: 'one', label: 'One secret', description: 'The keys are fields.' },
            ]}
          />
        )}
        {isOne && (
          <TextField
            label="Secret name"
            description={`Below ${fullName(place)}/.${kind.format === 'dotenv' ? ' Each line is a field.' : ''}`}
            isMono
            isRequired
            autoComplete="off"
            spellCheck="false"
            value={name}
            onChange={(value) => {
              setName(value);
              setProblem(undefined);
            }}
          />
        )}
        {problem !== undefined && (
          <Banner tone="danger" title="The file or text can't be read">
            {problem.message}
            {problem.line !== undefined && !problem.message.includes(`line ${String(problem.line)}`) && (
              <> Line {problem.line}.</>
            )}
          </Banner>
        )}
        <div className="flex gap-2">
          <Button
            type="submit"
            variant="primary"
            disabledReason={text.trim() === '' ? 'Choose a file or paste text first.' : undefined}
          >
            Review changes
          </Button>
          <LinkButton href={folderHref(place)}>Cancel</LinkButton>
        </div>
      </div>
      <aside className="flex min-w-0 flex-1 flex-col gap-3 text-body text-ink-2 wide:max-w-110">
        <h2 className="border-b border-line pb-1.5 text-heading font-semibold text-ink-1">
          Supported formats
        </h2>
        <p>
          A JSON object of secrets by path, as exported by this console. Paths are relative to{' '}
          <span className="font-mono text-meta">{fullName(place)}/</span>.
        </p>
        <CodeBlock label="JSON" code={example} />
        <p>
          Or the fields of one secret: a JSON object, or dotenv lines with comments, <code>export</code> and
          multi-line quoted values.
        </p>
        <CodeBlock label="dotenv" code={'USER=app\nPASSWORD="…"'} />
        <p>
          You can review the changes before anything is written. Existing secrets get a new version with
          exactly the file's fields.
        </p>
      </aside>
    </form>
  );
}
