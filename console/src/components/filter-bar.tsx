/**
 * The filters of a list: a search field, a menu for each facet with the count of each choice, more facets behind one
 * button, and a chip for each set filter. The address holds all of them, and any change goes back to the first page. On
 * a phone, many filters would push the list far down, so one button hides them.
 */
import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { IconFilter, IconPlus, IconSearch, IconX } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useAnySearch } from '../use-any-search.ts';
import { type Facet, FacetMenu } from './facet-menu.tsx';
import './filter-bar.css';

export type { Facet, FacetOption } from './facet-menu.tsx';

interface FilterBarProps {
  facets?: Facet[];
  /** The field for the parameter `q`, which the key `/` focuses. */
  searchField?: { label: string; minLength?: number };
}

export function FilterBar({ facets = [], searchField }: FilterBarProps) {
  const { search, set } = useAnySearch();
  const [isOpen, setIsOpen] = useState(false);
  // The facet behind "+ Filter" that was chosen last and has no value yet.
  const [added, setAdded] = useState<string | null>(null);
  const id = useId();
  const bar = useRef<HTMLElement>(null);
  const wasAdded = useRef<string | null>(null);
  useEffect(() => {
    // A facet without a value goes away when its menu closes.
    if (wasAdded.current !== null && document.activeElement === document.body) {
      focusFirst(bar.current, '.filter-bar-more', '.filter-bar-facets button');
    }
    wasAdded.current = added;
  }, [added]);
  const isInSight = ({ parameter, isMore = false }: Facet) =>
    !isMore || parameter === added || search[parameter] !== undefined;
  const chips = facets.flatMap((facet) =>
    valuesOf(search[facet.parameter] ?? facet.implied)
      .filter((value) => value !== facet.cleared)
      .map((value) => ({ facet, value })),
  );
  const text = searchField && valuesOf(search.q)[0];
  // The pressed button goes away with its filter. After a touch, a focused search field would open the keyboard of a
  // phone.
  const focusAfter = ({ nativeEvent, currentTarget }: MouseEvent) => {
    if ((nativeEvent as PointerEvent).pointerType === 'touch') return;
    const next = chips.length + (text ? 1 : 0) > 1 && currentTarget.closest('li')?.nextElementSibling;
    if (next) focusFirst(next, 'button');
    else focusFirst(bar.current, '.filter-bar-fold', '[data-page-search]', '.filter-bar-facets button');
  };
  const remove = (facet: Facet, value: string) => {
    const rest = valuesOf(search[facet.parameter]).filter((other) => other !== value);
    set({ [facet.parameter]: rest.length === 0 ? facet.cleared : rest });
  };
  const clearAll = () => {
    const cleared = facets.map(({ parameter, cleared }) => [parameter, cleared]);
    set({ ...Object.fromEntries(cleared), ...(searchField && { q: undefined }) });
  };
  return (
    <search
      ref={bar}
      className="filter-bar"
      data-foldable={facets.length > fewFacets || undefined}
      data-open={isOpen || undefined}
    >
      <div className="filter-bar-row">
        {searchField && <SearchField {...searchField} />}
        <Button
          className="filter-bar-fold"
          size="xs"
          variant="default"
          leftSection={<IconFilter size={15} />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          {chips.length === 0 ? 'Filters' : `Filters (${chips.length})`}
        </Button>
        <div className="filter-bar-facets" id={id}>
          {facets.filter(isInSight).map((facet) => (
            <FacetMenu
              key={facet.parameter}
              facet={facet}
              values={valuesOf(search[facet.parameter] ?? facet.implied)}
              onChange={(values) => set({ [facet.parameter]: values.length === 0 ? facet.cleared : values })}
              {...(facet.parameter === added && { startsOpen: true, onClose: () => setAdded(null) })}
            />
          ))}
          <MoreFilters
            facets={facets.filter((facet) => !isInSight(facet))}
            onChoose={(facet) => {
              facet.onOpen?.();
              setAdded(facet.parameter);
            }}
          />
        </div>
      </div>
      {(chips.length > 0 || text) && (
        <ul className="filter-bar-chips" aria-label="Active filters">
          {chips.map(({ facet, value }) => (
            <li key={`${facet.parameter} ${value}`} className="chip">
              <span>
                {facet.label}: <b>{labelOf(facet, value)}</b>
              </span>
              <ActionIcon
                size={18}
                variant="transparent"
                color="gray"
                aria-label={`Remove the filter ${facet.label}: ${labelOf(facet, value)}`}
                onClick={(event) => {
                  focusAfter(event);
                  remove(facet, value);
                }}
              >
                <IconX size={13} />
              </ActionIcon>
            </li>
          ))}
          <li>
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={(event) => {
                focusAfter(event);
                clearAll();
              }}
            >
              Clear all
            </Button>
          </li>
        </ul>
      )}
    </search>
  );
}

function MoreFilters({ facets, onChoose }: { facets: Facet[]; onChoose: (facet: Facet) => void }) {
  if (facets.length === 0) return null;
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button
          className="filter-bar-more"
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
        >
          Filter
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {facets.map((facet) => (
          <Menu.Item key={facet.parameter} onClick={() => onChoose(facet)}>
            {facet.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Focuses the first of the elements that is in sight; a hidden one takes no focus. */
function focusFirst(within: Element | null, ...selectors: string[]): void {
  for (const selector of selectors) {
    const control = within?.querySelector<HTMLElement>(selector);
    control?.focus();
    if (control && control === document.activeElement) return;
  }
}

// This many fit side by side on a phone.
const fewFacets = 3;

function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function labelOf(facet: Facet, value: string): string {
  return facet.options?.find((option) => option.value === value)?.label ?? facet.nameOf?.(value) ?? value;
}

// The search waits for a pause in typing, so that not every letter sends a request.
const pauseMs = 350;

function SearchField({ label, minLength = 1 }: NonNullable<FilterBarProps['searchField']>) {
  const { search, set } = useAnySearch();
  const inAddress = valuesOf(search.q)[0] ?? '';
  const [typed, setTyped] = useState(inAddress);
  // When the address has what the field has sent, the person may have typed more, such as the blank before the next
  // word.
  const sent = useRef(inAddress);
  useEffect(() => {
    if (sent.current === inAddress) return;
    sent.current = inAddress;
    setTyped(inAddress);
  }, [inAddress]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === inAddress || (wanted !== '' && wanted.length < minLength)) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      set({ q: wanted || undefined }, { replace: true });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, inAddress, minLength, set]);
  return (
    <TextInput
      className="filter-bar-search"
      size="xs"
      type="search"
      data-page-search
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      {...(minLength > 1 && typed.trim() !== '' && typed.trim().length < minLength
        ? { description: `At least ${minLength} characters` }
        : {})}
    />
  );
}
