/** One facet's menu: its choices with their counts, a field to find one among many, or a field to write a value. */
import { Badge, Button, Checkbox, Group, Loader, Popover, Radio, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

export interface FacetOption {
  value: string;
  label: string;
  /** How many there are, with all other filters. */
  count?: number | undefined;
  /** Before the label, such as the mark of a severity. */
  mark?: ReactNode;
}

export interface Facet {
  /** The parameter of the address that it sets. */
  parameter: string;
  label: string;
  /** None: the value is written. */
  options?: FacetOption[];
  /** Several at once; for parameters that are a `list`. */
  multiple?: boolean;
  /** The name of a value that is not among the options, such as of one that a link has brought. */
  nameOf?: (value: string) => string | undefined;
  /** Where the server finds the options: called with what is typed. */
  onFind?: (text: string) => void;
  /** For options that are asked for when somebody wants to see them. */
  onOpen?: () => void;
  isLoading?: boolean;
  /** For a value that is written. */
  placeholder?: string;
  inputType?: 'date';
  /** What a written value must look like, as of `pattern` of an input, and in words. */
  pattern?: { source: string; says: string };
  /** The value that stands for no filter, where the page has another default. */
  cleared?: string;
}

interface FacetMenuProps {
  facet: Facet;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

// From here on a list is easier to search than to read.
const manyOptions = 10;

export function FacetMenu({ facet, values, onChange }: FacetMenuProps) {
  const [isOpen, menu] = useDisclosure(false);
  const toggle = () => {
    if (!isOpen) facet.onOpen?.();
    menu.toggle();
  };
  return (
    <Popover opened={isOpen} onChange={menu.set} width={280} position="bottom-start" trapFocus returnFocus>
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
        {facet.options ? (
          <Choices
            facet={facet}
            options={facet.options}
            values={values}
            onChange={onChange}
            close={menu.close}
          />
        ) : (
          <Written facet={facet} value={values[0] ?? ''} onChange={onChange} close={menu.close} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices(props: FacetMenuProps & { options: FacetOption[]; close: () => void }) {
  const { facet, options, values, onChange, close } = props;
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = facet.onFind ? options : options.filter(({ label }) => label.toLowerCase().includes(wanted));
  const choose = (value: string, isOn: boolean, byKey: boolean) => {
    if (facet.multiple)
      return onChange(isOn ? [...values, value] : values.filter((other) => other !== value));
    onChange(isOn ? [value] : []);
    // Arrow keys choose as they go along: the menu waits for Escape.
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
            {facet.isLoading ? 'Looking…' : 'None of that name'}
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
        // A choice that is made is taken back by choosing it again.
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
          {...(facet.pattern && { pattern: facet.pattern.source, title: facet.pattern.says })}
        />
        <Button size="xs" type="submit">
          Apply
        </Button>
      </Group>
    </form>
  );
}
