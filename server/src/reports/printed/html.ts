/** HTML as text. Every value in a template is escaped, unless a template made it. */
import { plain } from '@merlon/terminal';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | Html[] | string | number;

export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: texts }, ...values.map(textOf)));
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return escapeText(String(value));
}

// Without control and format characters, no text can change the direction of another. `##` and `::` begin commands of
// CI runners, which read the output of a job.
function escapeText(text: string): string {
  return plain(text).replace(/[&<>"'`]|#(?=#)|:(?=:)/g, (character) => `&#${character.charCodeAt(0)};`);
}
