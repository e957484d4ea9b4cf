/**
 * A field that must be filled: marked so, by its label and to a screen reader, and told at its place when somebody submits
 * without it. The button of a form stays as it is: who presses it learns what is missing.
 */
import { type FormEvent, useState } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface RequiredField {
  required: boolean;
  error: string | null;
  onInvalid: (event: FormEvent<Field>) => void;
  onInput: (event: FormEvent<Field>) => void;
  ref: (field: Field | null) => void;
}

interface Asked {
  /** What is said of one that is empty, or not of the field's pattern. */
  says: string;
  /** What the server has said of it. */
  refusal?: string | null | undefined;
  /** Of a field whose value the page keeps: one that changes without being typed into is not wrong any more. */
  value?: string;
  /** False: it may be empty; anything else that the browser finds wrong is told all the same. */
  isRequired?: boolean;
}

/** To be spread over an input of Mantine. Blanks are nothing. */
export function useRequired({ says, refusal = null, value, isRequired = true }: Asked): RequiredField {
  const [wrong, setWrong] = useState<{ value: string; message: string } | null>(null);
  const judge = (field: Field | null): void => {
    const isBlank = isRequired && field !== null && field.value !== '' && field.value.trim() === '';
    field?.setCustomValidity(isBlank ? says : '');
  };
  const isStillWrong = wrong !== null && (value === undefined || value === wrong.value);
  return {
    required: isRequired,
    error: isStillWrong ? wrong.message : refusal,
    onInvalid: (event) => {
      // Instead of the browser's bubble, and its step to the first wrong field.
      event.preventDefault();
      const field = event.currentTarget;
      const { valueMissing, patternMismatch, customError } = field.validity;
      const isSaid = valueMissing || patternMismatch || customError;
      setWrong({ value: field.value, message: isSaid ? says : field.validationMessage });
      if (firstWrong(field.form) === field) field.focus();
    },
    onInput: ({ currentTarget: field }) => {
      setWrong(null);
      judge(field);
    },
    // At each drawing: what is asked of a field may have changed while its text stayed.
    ref: judge,
  };
}

function firstWrong(form: HTMLFormElement | null): Element | undefined {
  return [...(form?.elements ?? [])].find(
    (element) => !(element instanceof HTMLFieldSetElement) && element.matches(':invalid'),
  );
}
