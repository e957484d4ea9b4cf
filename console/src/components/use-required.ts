/**
 * A required field. Its label and the screen reader say so, and the field shows an error if the form is submitted
 * without it. The submit button stays enabled, so that pressing it shows which fields are missing.
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

interface RequiredOptions {
  /** The message for a value that is empty or does not match the field's pattern. */
  message: string;
  /** The server's error for this field. */
  refusal?: string | null | undefined;
  /** The current value, if the page controls the field. A value that the page changes clears the error. */
  value?: string;
  /** False means that the field may be empty. Any other problem that the browser finds is still shown. */
  isRequired?: boolean;
}

/** The result is spread over an input of Mantine. Blanks count as empty. */
export function useRequired({
  message,
  refusal = null,
  value,
  isRequired = true,
}: RequiredOptions): RequiredField {
  const [wrong, setWrong] = useState<{ value: string; message: string } | null>(null);
  const checkBlank = (field: Field | null): void => {
    const isBlank = isRequired && field !== null && field.value !== '' && field.value.trim() === '';
    field?.setCustomValidity(isBlank ? message : '');
  };
  const isStillWrong = wrong !== null && (value === undefined || value === wrong.value);
  return {
    required: isRequired,
    error: isStillWrong ? wrong.message : refusal,
    onInvalid: (event) => {
      // This replaces the browser's bubble and its jump to the first invalid field.
      event.preventDefault();
      const field = event.currentTarget;
      const { valueMissing, patternMismatch, customError } = field.validity;
      const hasOwnMessage = valueMissing || patternMismatch || customError;
      setWrong({ value: field.value, message: hasOwnMessage ? message : field.validationMessage });
      if (firstWrong(field.form) === field) field.focus();
    },
    onInput: ({ currentTarget: field }) => {
      setWrong(null);
      checkBlank(field);
    },
    // This runs at each render, because the rule of a field may change while its text stays.
    ref: checkBlank,
  };
}

function firstWrong(form: HTMLFormElement | null): Element | undefined {
  return [...(form?.elements ?? [])].find(
    (element) => !(element instanceof HTMLFieldSetElement) && element.matches(':invalid'),
  );
}
