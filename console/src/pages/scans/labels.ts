/** The labels of scans. */
import type { CountName, Scan, ScanCounts } from '../../api/scans.ts';
import { visibleText } from '../../components/report-text.tsx';

/** Returns the title of a scan: its first tools, or its file while the tools are unknown. */
export function titleOf({ tools, file_name }: Pick<Scan, 'tools' | 'file_name'>): string {
  return visibleText(toolsLabel(tools, 3) || file_name || 'Report');
}

/** Returns the first tools of a scan. A report may have a thousand runs, each with a name of its own. */
export function toolsLabel(tools: string[], shown: number): string {
  const more = tools.length - shown;
  return `${tools.slice(0, shown).join(', ')}${more > 0 ? ` and ${more.toLocaleString()} more` : ''}`;
}

// The keys are in the order of an import's steps.
const steps: Record<string, string> = {
  reading: 'Reading the report',
  waiting: 'Waiting for another scan of the repository',
  comparing: 'Comparing with the last scan',
  writing: 'Writing findings',
  reconciling: 'Updating vulnerabilities',
  evaluating: 'Evaluating policies',
};

/** Writes the progress: `Writing findings: 1,200 of 30,000`. */
export function progressLabel({ status, progress }: Pick<Scan, 'status' | 'progress'>): string {
  if (status === 'queued') return 'Waiting';
  if (progress === null) return 'Starting';
  const step = steps[progress.step] ?? progress.step;
  const { done, total } = progress;
  return total > 0 && done > 0 ? `${step}: ${done.toLocaleString()} of ${total.toLocaleString()}` : step;
}

/** The counts are in the order of people's interest. `meaning` fits into the middle of a sentence. */
export const countLabels: { name: CountName; label: string; meaning: string }[] = [
  { name: 'new', label: 'New', meaning: 'not known before in this repository' },
  { name: 'fixed', label: 'Fixed', meaning: 'found before, not found now' },
  { name: 'reopened', label: 'Reopened', meaning: 'fixed before, there again' },
  { name: 'unchanged', label: 'Unchanged', meaning: 'there before, there now' },
  { name: 'closing_held', label: 'Closures held', meaning: 'would be fixed, wait for a decision' },
  { name: 'suppressed', label: 'Suppressed', meaning: 'findings, in the code or by the tool' },
  { name: 'unreadable', label: 'Unreadable', meaning: 'rows that could not be read' },
  { name: 'read', label: 'Read', meaning: 'rows of the report' },
];

export const statementLabels: {
  name: keyof NonNullable<ScanCounts['statements']>;
  label: string;
  meaning: string;
}[] = [
  {
    name: 'decided',
    label: 'Statements that decide',
    meaning: 'about a known vulnerability, in any version',
  },
  { name: 'suggested', label: 'Suggestions', meaning: 'statements that a person may confirm' },
  { name: 'unmatched', label: 'Unmatched', meaning: 'statements, kept until a report finds it' },
];

interface FailureText {
  title: string;
  advice: string;
}

/** Explains a failure by its error code. */
export function failureText(code: string): FailureText {
  switch (code) {
    case 'UNKNOWN_FORMAT':
      return {
        title: 'This file is not a readable report',
        advice: 'Upload the original output of the scanner, in a supported format.',
      };
    case 'MALFORMED_REPORT':
      return {
        title: 'The report is damaged',
        advice: 'Run the scanner again and upload the complete file without changes.',
      };
    case 'LIMIT_EXCEEDED':
      return {
        title: 'The report is too large',
        advice:
          'Scan in smaller parts, each with a category of its own, or ask the operator of the server to raise the limit.',
      };
    default:
      return {
        title: 'The server could not process the report',
        advice: 'Upload it again. If that fails too, the operator of the server finds the reason in its log.',
      };
  }
}
