/** Says which series each run of a report belongs to: the name of the tool and a category tell them apart. */
import { indexedText } from '../../parsers/reading/indexed-text.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';

export interface RunInSeries extends PreparedRun {
  /** The category without the number of the run. */
  unnumbered: string;
  /** The report has no other run of the tool and this category. */
  isOnly: boolean;
  /** The category that one more run like this one would have. */
  nextCategory: string;
}

/**
 * `given` is the category that the sender gives; it stands before that of the report. A number tells runs of one tool
 * and category apart.
 */
export function runsInSeries(runs: PreparedRun[], given: string | null): RunInSeries[] {
  const named = runs.map((run) => {
    const category = [given ?? '', run.category].filter((part) => part !== '').join('/');
    return { ...run, category: indexedText(category) };
  });
  const alike = Map.groupBy(named, keyOf);
  const numbered = (category: string, number: number) => (number === 1 ? category : `${category}#${number}`);
  return named.map((run) => {
    const runsAlike = alike.get(keyOf(run)) ?? [];
    const { category } = run;
    return {
      ...run,
      unnumbered: category,
      isOnly: runsAlike.length === 1,
      category: numbered(category, runsAlike.indexOf(run) + 1),
      nextCategory: numbered(category, runsAlike.length + 1),
    };
  });
}

const keyOf = ({ tool, category }: PreparedRun): string => JSON.stringify([tool, category]);
