import { JsonTextError } from '@gatehouse/api-types/console/json-text';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { JsonEditor, type JsonEditorHandle } from '@gatehouse/ui/code-editor';
import { Eye } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { MapEditorProps } from '#components/form/record-form.ts';
import { useForgetting } from '#lib/forgetting.ts';
import { indentJson } from '#lib/indent-json.ts';
import {
  dataOfValues,
  repeatedNames,
  saysExactly,
  valuesOfData,
  withKnownTexts,
} from '../-fields/secret-values.ts';
import { useSecretEditing } from './secret-editing.ts';

const byOthers = 'The text now contains values that were saved elsewhere.';

/** The fields as JSON text, kept as you type it. */
export function JsonText({ value, stored, onChange, onBlur }: MapEditorProps) {
  const { exactText, textProblem, onTextProblem, refusedSaves, othersRound } = useSecretEditing();
  const editor = useRef<JsonEditorHandle>(null);
  /** Why the text is hidden. */
  const [covered, setCovered] = useState(othersRound > 0 ? byOthers : undefined);
  const [text, setText] = useState(() => firstText(exactText.current, value));
  /** The last valid JSON text, which is the form's value. */
  const [valid, setValid] = useState(text);
  useForgetting(() => {
    setCovered('The text was hidden because you left the page. Nothing is lost.');
  });
  const [round, setRound] = useState(othersRound);
  if (round !== othersRound) {
    setRound(othersRound);
    if (othersRound > 0) setCovered(byOthers);
  }
  const isSame = useMemo(() => saysExactly(valid, { data: value }), [valid, value]);
  if (!isSame) {
    // The form changed elsewhere: a conflict was resolved, or a change undone.
    const next = indentJson(dataOfValues({ data: value }));
    setText(next);
    setValid(next);
  }
  useEffect(() => {
    exactText.current = valid;
  }, [exactText, valid]);
  useEffect(() => {
    if (text === valid) onTextProblem(undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- when the text is replaced from outside
  }, [text, valid]);
  useEffect(() => {
    if (refusedSaves > 0) editor.current?.focus();
  }, [refusedSaves]);
  const repeated = useMemo(() => repeatedNames(valid), [valid]);

  const write = (next: string): void => {
    setText(next);
    try {
      // Added whitespace isn't a change.
      const { data } = withKnownTexts(valuesOfData(next), stored, value);
      setValid(next);
      onTextProblem(undefined);
      onChange(data);
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      onTextProblem({ message: error.message, offset: error.offset });
    }
  };

  if (covered !== undefined) {
    return (
      <div className="flex min-h-60 flex-col items-center justify-center gap-3 rounded-control border border-line bg-sunken p-6 text-center">
        <p className="text-body text-ink-2">{covered}</p>
        <Button
          icon={Eye}
          onPress={() => {
            setCovered(undefined);
          }}
        >
          Reveal the JSON
        </Button>
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="h-100">
        <JsonEditor
          ref={editor}
          label="Fields as JSON"
          value={text}
          onChange={write}
          onBlur={onBlur}
          problems={textProblem === undefined ? [] : [{ ...textProblem, tone: 'danger' }]}
        />
      </div>
      {textProblem !== undefined && (
        <p role="alert" className="text-body text-danger">
          {textProblem.message}.
        </p>
      )}
      {repeated.length > 0 && (
        <Banner
          tone="warn"
          title={`${repeated.join(', ')} ${repeated.length === 1 ? 'appears' : 'appear'} more than once`}
          actions={
            <Button
              size={28}
              onPress={() => {
                write(indentJson(dataOfValues({ data: value })));
              }}
            >
              Keep only the last
            </Button>
          }
        >
          JSON doesn't define what a repeated name means; most parsers use the last one. If you replace all
          fields, the text is stored as you see it.
        </Banner>
      )}
    </div>
  );
}

/** The editor's initial text: as stored, indented if it is on one line. */
function firstText(exact: string | null, value: MapEditorProps['value']): string {
  if (exact === null || !saysExactly(exact, { data: value })) {
    return indentJson(dataOfValues({ data: value }));
  }
  return exact.includes('\n') ? exact : indentJson(exact);
}
