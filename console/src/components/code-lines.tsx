/** Lines of code with their numbers, of which some are marked. Long lines scroll inside the block. */
import { visibleText } from './report-text.tsx';
import './code-block.css';

interface CodeLinesProps {
  code: string;
  /** The name for screen readers: `Code of src/app.ts`. */
  label: string;
  /** The number of the first line; without it the lines have no numbers. */
  firstLine: number | null;
  /** The first and the last marked line. */
  markedFrom: number | null;
  markedTo: number | null;
}

export function CodeLines({ code, label, firstLine, markedFrom, markedTo }: CodeLinesProps) {
  const lines = withoutIndent(code.replace(/\n$/, '').split('\n'));
  const isMarked = (number: number | null): boolean =>
    number !== null && markedFrom !== null && number >= markedFrom && number <= (markedTo ?? markedFrom);
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
      <section tabIndex={0} aria-label={label} className="code-lines">
        <pre>
          <code>
            {lines.map((line, index) => {
              const number = firstLine === null ? null : firstLine + index;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place alone
                <span key={index} className="code-line" data-marked={isMarked(number) || undefined}>
                  {number !== null && <span className="code-number">{number}</span>}
                  {isMarked(number) ? <mark>{visibleText(line)}</mark> : visibleText(line)}
                  {'\n'}
                </span>
              );
            })}
          </code>
        </pre>
      </section>
    </div>
  );
}

/** Removes the white space before all lines, so that a narrow screen shows the code and not its depth. */
function withoutIndent(lines: string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, line.length - line.trimStart().length));
  const [first = ''] = indents;
  let length = first.length;
  for (const indent of indents) while (!indent.startsWith(first.slice(0, length))) length--;
  return lines.map((line) => line.slice(length));
}
