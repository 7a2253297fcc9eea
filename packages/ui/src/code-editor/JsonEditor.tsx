import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';

export interface JsonProblem {
  message: string;
  /** Position in the text, in UTF-16 units. */
  offset: number;
  tone: 'danger' | 'warn';
}

export interface JsonEditorHandle {
  focus: () => void;
  /** Moves the cursor to a position in the text, in UTF-16 units, and scrolls to it. */
  goTo: (offset: number) => void;
}

export interface JsonEditorProps {
  /** Accessible name. */
  label: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  problems?: readonly JsonProblem[];
  /** Why it can't be changed; read out with the name. */
  readOnlyReason?: string;
  ref?: Ref<JsonEditorHandle>;
}

/** The page's color tokens, which are inherited by the shadow tree. */
const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text-1)', backgroundColor: 'var(--raised)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: "'IBM Plex Mono', ui-monospace, monospace", lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text-1)', padding: '8px 0' },
  '.cm-cursor': { borderInlineStartColor: 'var(--text-1)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text-3)',
    borderInlineEnd: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--hover) 45%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 26%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--selected)',
    outline: '1px solid var(--accent)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn)' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--danger)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '3px',
    color: 'var(--text-1)',
  },
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.number, color: 'var(--info)' },
  { tag: [tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.invalid, color: 'var(--danger)' },
]);

/**
 * Replaces selected text itself. A browser would wrap what is typed into an element with the style of what it replaces,
 * and the content security policy refuses its `style` attribute.
 */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    if (inputType !== 'insertText' || data === null || view.composing) return false;
    // The browser may announce a new selection only after this event.
    document.dispatchEvent(new Event('selectionchange'));
    if (view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' });
    return true;
  },
});

/**
 * An editor for JSON text, which it never reformats. Tab leaves the editor. It uses a shadow tree, whose styles don't
 * need permission by the page's content security policy.
 */
export function JsonEditor({
  label,
  value,
  onChange,
  onBlur,
  problems = [],
  readOnlyReason,
  ref,
}: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  /** Reported texts that have not come back as the value yet. They may arrive after more has been typed. */
  const reported = useRef<string[]>([]);
  const [attributes] = useState(() => new Compartment());
  const change = useEffectEvent(onChange);
  const blur = useEffectEvent(() => onBlur?.());
  const isInvalid = problems.some(({ tone }) => tone === 'danger');
  const nameOf = (): Extension => [
    EditorView.contentAttributes.of({
      'aria-label': label,
      // Contenteditable is focusable anyway, but accessibility tools require a tabindex on a scrollable element.
      tabindex: '0',
      ...(isInvalid && { 'aria-invalid': 'true' }),
      ...(readOnlyReason !== undefined && { 'aria-description': readOnlyReason }),
    }),
    EditorState.readOnly.of(readOnlyReason !== undefined),
  ];
  const start = useEffectEvent((parent: ShadowRoot) => {
    const editor = new EditorView({
      parent,
      root: parent,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          json(),
          indentUnit.of('  '),
          syntaxHighlighting(colors),
          look,
          replaceSelected,
          EditorView.lineWrapping,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          attributes.of(nameOf()),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              const text = update.state.doc.toString();
              reported.current.push(text);
              change(text);
            }
            if (update.focusChanged && !update.view.hasFocus) blur();
          }),
        ],
      }),
    });
    view.current = editor;
    return editor;
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = start(root);
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: attributes.reconfigure(nameOf()) });
    // oxlint-disable-next-line react/exhaustive-deps -- made of these three
  }, [label, isInvalid, readOnlyReason]);

  useEffect(() => {
    const editor = view.current;
    const known = reported.current.lastIndexOf(value);
    reported.current = reported.current.slice(known + 1);
    if (editor === null || known !== -1 || editor.state.doc.toString() === value) return;
    reported.current = [];
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  const told = JSON.stringify(problems);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const end = editor.state.doc.length;
    const found = problems.map(({ message, offset, tone }) => {
      const from = Math.min(offset, end);
      return {
        from,
        to: Math.min(from + 1, end),
        message,
        severity: tone === 'danger' ? ('error' as const) : ('warning' as const),
      };
    });
    editor.dispatch(setDiagnostics(editor.state, found));
    // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the problems, which are others at each render
  }, [told, value]);

  useImperativeHandle(ref, () => ({
    focus: () => {
      view.current?.focus();
    },
    goTo: (offset) => {
      const editor = view.current;
      if (editor === null) return;
      const anchor = Math.min(offset, editor.state.doc.length);
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      editor.focus();
    },
  }));

  return (
    <div
      ref={host}
      className="h-full min-h-60 overflow-hidden rounded-control border border-control-line bg-raised focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent"
    />
  );
}
