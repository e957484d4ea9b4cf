/** The menu of one facet: its choices with their counts, a field to search among many, or a field to type a value. */
import { Badge, Button, Checkbox, Group, Loader, Popover, Radio, Text, TextInput } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

export interface FacetOption {
  value: string;
  label: string;
  /** The number of rows with this choice and all other filters. */
  count?: number | undefined;
  /** Shown before the label, such as the mark of a severity. */
  mark?: ReactNode;
}

export interface Facet {
  /** The parameter of the address that the facet sets. */
  parameter: string;
  label: string;
  /** Without options, the person types the value. */
  options?: FacetOption[];
  /** Several values are allowed at once. The parameter must be a `list`. */
  multiple?: boolean;
  /** Names a value that is not among the options, such as a value from a link. */
  nameOf?: (value: string) => string | undefined;
  /** Called with the typed text if the server searches the options. */
  onFind?: (text: string) => void;
  /** Called when the menu opens, for options that load only then. */
  onOpen?: () => void;
  isLoading?: boolean;
  /** The placeholder of the field for a typed value. */
  placeholder?: string;
  inputType?: 'date';
  /** True if the person can type a value as well as choose an option. */
  isTypedToo?: boolean;
  /** The facet is behind "+ Filter" until it is set. */
  isMore?: boolean;
  /** `source` is the `pattern` of the input for a typed value, and `hint` explains it in words. */
  pattern?: { source: string; hint: string };
  /** The value that stands for "no filter" if the page has another default. */
  cleared?: string;
  /** The value that applies if the address names none. */
  implied?: string;
}

interface FacetValuesProps {
  facet: Facet;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

interface FacetMenuProps extends FacetValuesProps {
  /** The menu is open from the start. `onClose` is called when it closes. */
  startsOpen?: boolean;
  onClose?: () => void;
}

// A list of this length or more is easier to search than to read.
const manyOptions = 10;

export function FacetMenu({ facet, values, onChange, startsOpen = false, onClose }: FacetMenuProps) {
  const [isOpen, menu] = useDisclosure(startsOpen, { ...(onClose && { onClose }) });
  // The focus may be outside of a menu that another menu has opened.
  useWindowEvent('keydown', (event) => {
    if (isOpen && event.key === 'Escape') menu.close();
  });
  const toggle = () => {
    if (!isOpen) facet.onOpen?.();
    menu.toggle();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => (opened ? menu.open() : menu.close())}
      width={280}
      position="bottom-start"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          fw={500}
          onClick={toggle}
          aria-expanded={isOpen}
          rightSection={
            values.length > 0 && facet.multiple ? (
              <Badge size="sm" circle aria-label={`${values.length} chosen`}>
                {values.length}
              </Badge>
            ) : (
              <IconChevronDown size={14} aria-hidden="true" />
            )
          }
        >
          {facet.label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={facet.label}>
        {facet.options && (
          <Choices
            facet={facet}
            options={facet.options}
            values={values}
            onChange={onChange}
            close={menu.close}
          />
        )}
        {(!facet.options || facet.isTypedToo) && (
          <Written facet={facet} value={values[0] ?? ''} onChange={onChange} close={menu.close} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices(props: FacetValuesProps & { options: FacetOption[]; close: () => void }) {
  const { facet, options, values, onChange, close } = props;
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = facet.onFind ? options : options.filter(({ label }) => label.toLowerCase().includes(wanted));
  const choose = (value: string, isOn: boolean, byKey: boolean) => {
    if (facet.multiple)
      return onChange(isOn ? [...values, value] : values.filter((other) => other !== value));
    onChange(isOn ? [value] : []);
    // Arrow keys choose while they move, so the menu stays open until Escape.
    if (!byKey) close();
  };
  return (
    <>
      {(facet.onFind || options.length >= manyOptions) && (
        <TextInput
          size="xs"
          mb={6}
          data-autofocus
          aria-label={`Find in ${facet.label}`}
          placeholder="Find…"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            facet.onFind?.(event.currentTarget.value);
          }}
          rightSection={facet.isLoading ? <Loader size={14} /> : null}
        />
      )}
      <fieldset className="facet-list" style={{ border: 0 }} aria-label={facet.label}>
        {found.map((option) => (
          <Choice
            key={option.value}
            facet={facet}
            option={option}
            isOn={values.includes(option.value)}
            onChoose={(isOn, byKey) => choose(option.value, isOn, byKey)}
          />
        ))}
        {found.length === 0 && (
          <Text size="sm" c="dimmed" p={6}>
            {facet.isLoading ? 'Searching…' : 'No match'}
          </Text>
        )}
      </fieldset>
    </>
  );
}

interface ChoiceProps {
  facet: Facet;
  option: FacetOption;
  isOn: boolean;
  onChoose: (isOn: boolean, byKey: boolean) => void;
}

function Choice({ facet, option, isOn, onChoose }: ChoiceProps) {
  const label = (
    <Group gap={6} wrap="nowrap">
      {option.mark}
      {option.label}
    </Group>
  );
  return (
    <div className="facet-option">
      {facet.multiple ? (
        <Checkbox
          size="xs"
          label={label}
          checked={isOn}
          onChange={(event) => onChoose(event.currentTarget.checked, false)}
        />
      ) : (
        // A second click on the chosen option clears it.
        <Radio
          size="xs"
          name={facet.parameter}
          label={label}
          checked={isOn}
          onClick={(event) => onChoose(!isOn, event.detail === 0)}
          onChange={() => {}}
        />
      )}
      {option.count !== undefined && <span className="facet-count">{option.count.toLocaleString()}</span>}
    </div>
  );
}

function Written(props: {
  facet: Facet;
  value: string;
  onChange: (values: string[]) => void;
  close: () => void;
}) {
  const { facet, value, onChange, close } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const written = String(new FormData(event.currentTarget).get('value')).trim();
        onChange(written === '' ? [] : [written]);
        close();
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          size="xs"
          flex={1}
          data-autofocus
          type={facet.inputType ?? 'text'}
          name="value"
          label={facet.label}
          defaultValue={value}
          {...(facet.placeholder === undefined ? {} : { placeholder: facet.placeholder })}
          {...(facet.pattern && { pattern: facet.pattern.source, title: facet.pattern.hint })}
        />
        <Button size="xs" type="submit">
          Apply
        </Button>
      </Group>
    </form>
  );
}
