/**
 * The shortcuts of all pages: `g` and a letter opens a page, `/` goes to the page's search, `?` lists all shortcuts.
 * None acts while the person types or a dialog is open. Ctrl-Z, which reverses the last action, acts in a side panel
 * too.
 */
import { ActionIcon, Kbd, Modal, Switch, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetActions, setPageInSight, undoLast } from '../components/notify.tsx';
import { useSingleKeys } from '../components/single-keys.ts';
import { useModKey } from '../components/use-mod-key.ts';
import { navigation } from './navigation.ts';
import { linkTo, useNavigationEntries } from './navigation-links.tsx';
import { isDialogOpen, isForPage, isTyping, useShortcutsOfPage } from './page-shortcuts.ts';
import './shortcuts.css';

// `g` waits this long for its second key.
const sequenceMs = 1_200;

/** `slug` names the workspace whose pages `g` opens. */
export function Shortcuts({ slug }: { slug: string | undefined }) {
  const [isOpen, dialog] = useDisclosure(false);
  const ofPage = useShortcutsOfPage();
  const mod = useModKey();
  const [isOn, setOn] = useSingleKeys();
  useCommonKeys(dialog.open);
  useUndoKey();
  return (
    <>
      <Tooltip label="Keyboard shortcuts">
        <ActionIcon
          className="no-phone"
          variant="subtle"
          color="gray"
          size="lg"
          onClick={dialog.open}
          aria-label="Keyboard shortcuts"
        >
          <IconKeyboard size={19} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {slug !== undefined && <PageKeys slug={slug} />}
      <Modal opened={isOpen} onClose={dialog.close} title="Keyboard shortcuts" size="lg">
        <Switch
          pt={6}
          mb="md"
          label="Single-key shortcuts"
          description="Shortcuts of one letter or sign, such as / and g v. Turn them off if you dictate text."
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        <div className="shortcuts">
          <ShortcutList
            title="Everywhere"
            rows={[
              [[mod, 'K'], 'Find anything'],
              [[mod, 'Z'], 'Undo the last decision, assignment or snooze'],
              [['/'], 'Search on this page'],
              [['?'], 'These shortcuts'],
              [['Esc'], 'Close a panel, menu or dialog'],
            ]}
          />
          <ShortcutList
            title="In a table"
            rows={[
              [['↑', '↓'], 'Row above, row below'],
              [['Enter'], 'Open the row'],
              [['x'], 'Select the row'],
              [['Shift', 'click'], 'Select up to here'],
            ]}
          />
          {ofPage && <ShortcutList {...ofPage} />}
          {slug !== undefined && <PageList />}
        </div>
      </Modal>
    </>
  );
}

function PageList() {
  const isShown = useNavigationEntries();
  const entries = navigation.flatMap((group) => group.entries).filter(isShown);
  return <ShortcutList title="Go to" rows={entries.map(({ key, label }) => [['g', key], label])} />;
}

function ShortcutList({ title, rows }: { title: string; rows: [string[], string][] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

// A list that has no search field has filters.
function searchOfPage(): HTMLElement | null {
  const bar = '.filter-bar-facets button:not(:disabled)';
  return document.querySelector('[data-page-search]') ?? document.querySelector(bar);
}

function useCommonKeys(showHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      if (event.key === '?') showHelp();
      else if (event.key === '/') searchOfPage()?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [showHelp]);
}

function useUndoKey(): void {
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => setPageInSight(path), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUndo =
        event.key.toLowerCase() === 'z' &&
        (event.ctrlKey || event.metaKey) &&
        !event.shiftKey &&
        !event.altKey;
      // A key that is held reverses one action.
      if (!isUndo || event.repeat || event.defaultPrevented || isTyping(event) || isDialogOpen()) return;
      if (undoLast()) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      forgetActions();
    };
  }, []);
}

function PageKeys({ slug }: { slug: string }) {
  const isShown = useNavigationEntries();
  const navigate = useNavigate();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const isSecond = event.timeStamp - startedAt < sequenceMs;
      startedAt = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!isSecond) return;
      const entry = navigation.flatMap((group) => group.entries).find(({ key }) => key === event.key);
      if (!entry || !isShown(entry)) return;
      event.preventDefault();
      navigate(linkTo(entry.to, slug) as Parameters<typeof navigate>[0]);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return null;
}
