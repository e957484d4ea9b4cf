/**
 * Finds everything with Ctrl-K: pages, repositories, organizations, applications, packages, vulnerabilities, and
 * actions. The field keeps the focus, as in the combobox pattern; the arrow keys move the choice in the list below.
 */
import { Combobox, Kbd, Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useModKey } from '../components/use-mod-key.ts';
import type { PaletteEntry } from './palette-commands.ts';
import { usePaletteResults } from './use-palette-results.ts';
import './command-palette.css';

export function CommandPalette({ slug }: { slug: string | undefined }) {
  const [isOpen, palette] = useDisclosure(false);
  // No element is ignored, so the palette also opens from a field.
  useHotkeys([['mod+K', palette.toggle]], [], true);
  const mod = useModKey();
  return (
    <>
      <UnstyledButton
        className="palette-button"
        onClick={palette.open}
        aria-label="Find anything"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={16} stroke={1.7} aria-hidden="true" />
        <span className="palette-button-text">Find anything</span>
        <Kbd className="palette-button-text" size="xs">
          {mod} K
        </Kbd>
      </UnstyledButton>
      <Modal.Root
        opened={isOpen}
        onClose={palette.close}
        size={620}
        yOffset="8dvh"
        zIndex={250}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Overlay />
        <Modal.Content aria-label="Find anything">
          <Palette slug={slug} close={palette.close} />
        </Modal.Content>
      </Modal.Root>
    </>
  );
}

// The search waits for a pause in typing, so that not every letter sends requests.
const pauseMs = 200;

function Palette({ slug, close }: { slug: string | undefined; close: () => void }) {
  const [text, setText] = useState('');
  const typed = text.trim();
  const [searched] = useDebouncedValue(typed, pauseMs);
  const { groups, isLooking, hasFailed } = usePaletteResults(slug, typed, searched);
  const entries = groups.flatMap((group) => group.entries);
  const [at, setAt] = useState(0);
  // The person pressed Enter before the answer: the first result is opened as soon as it arrives.
  const [isAwaited, setAwaited] = useState(false);
  const id = useId();
  const chosen = entries[Math.min(at, entries.length - 1)];
  const optionId = (entry: PaletteEntry) => `${id}-${entry.id}`;
  const choose = (entry: PaletteEntry) => {
    close();
    entry.run();
  };
  useEffect(() => {
    if (!isAwaited || isLooking) return;
    setAwaited(false);
    if (chosen) choose(chosen);
  });
  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, id]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = entries.length - 1;
    if (event.key === 'ArrowDown') setAt(at >= last ? 0 : at + 1);
    else if (event.key === 'ArrowUp') setAt(at <= 0 ? last : at - 1);
    else if (event.key === 'Escape') close();
    else if (event.key !== 'Enter') return;
    else if (chosen) choose(chosen);
    else setAwaited(isLooking);
    event.preventDefault();
  };
  return (
    <Combobox onOptionSubmit={(value) => entries.filter((entry) => entry.id === value).forEach(choose)}>
      <TextInput
        className="palette-field"
        variant="unstyled"
        size="md"
        role="combobox"
        aria-label="Find a page, repository, package, vulnerability or action"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && optionId(chosen)}
        placeholder="Page, repository, package, CVE, action…"
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden="true" />}
        autoComplete="off"
        spellCheck={false}
        maxLength={longestText}
        data-autofocus
        // Escape closes the palette alone, and not the dialog below it.
        data-mantine-stop-propagation
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setAwaited(false);
        }}
        onKeyDown={onKeyDown}
      />
      <Combobox.Options id={`${id}-list`} className="palette-list" aria-label="Results">
        {groups.map((group) => (
          <Combobox.Group key={group.label} label={group.label}>
            {group.entries.map((entry) => (
              <Combobox.Option
                key={entry.id}
                id={optionId(entry)}
                value={entry.id}
                className="palette-option"
                selected={entry === chosen}
                aria-selected={entry === chosen}
              >
                <entry.icon size={17} stroke={1.7} aria-hidden="true" />
                <span className="palette-label">{entry.label}</span>
                {entry.note !== undefined && <span className="palette-note">{entry.note}</span>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      <Text className="palette-state" size="xs" c="dimmed" role="status">
        {stateOf(typed, entries.length, isLooking, hasFailed)}
      </Text>
    </Combobox>
  );
}

// The longest text that every search of the server takes.
const longestText = 200;

function stateOf(typed: string, count: number, isLooking: boolean, hasFailed: boolean): string {
  if (isLooking) return 'Searching…';
  if (hasFailed) return 'A part of the search failed: there may be more.';
  if (typed === '') return '↑ ↓ to choose, Enter to open, Esc to close';
  return count === 0 ? 'Nothing found' : `${count} found`;
}
