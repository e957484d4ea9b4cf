/** Tools repeat one message as title, description and explanation, so each text is shown once. */

export interface Texts {
  title: string;
  description: string | null;
  help: string | null;
  remediation: string | null;
}

/** Leaves out a text that another of these texts already contains. */
export function distinctTexts({ title, description, help, remediation }: Texts): Texts {
  const shownHelp = isIn(help, title) || isIn(help, description) ? null : filled(help);
  const isInHelp = isIn(description, shownHelp) && plain(description).length > 0;
  return {
    title,
    description: isIn(description, title) || isInHelp ? null : filled(description),
    help: shownHelp,
    remediation:
      isIn(remediation, title) || isIn(remediation, description) || isIn(remediation, shownHelp)
        ? null
        : filled(remediation),
  };
}

const filled = (text: string | null): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

function isIn(text: string | null, other: string | null): boolean {
  return text !== null && other !== null && plain(other).includes(plain(text));
}

// White space, case and the marks of Markdown do not make a message different.
const plain = (text: string | null): string =>
  (text ?? '')
    .toLowerCase()
    .replace(/[\s#*_`>~|.-]+/g, ' ')
    .trim();
