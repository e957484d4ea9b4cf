/** Says which series each run of a report belongs to: the name of the tool and a category tell them apart. */
import type { PreparedRun } from '../prepare/prepared-report.ts';

export interface RunInSeries extends PreparedRun {
  /** The category that one more run like this one would have. */
  nextCategory: string;
}

/**
 * `given` is the category that the sender gives. It replaces that of the report, and stands before it where the report has
 * several runs of the tool. A number tells those apart that have one category.
 */
export function runsInSeries(runs: PreparedRun[], given: string | null): RunInSeries[] {
  const ofTool = Map.groupBy(runs, (run) => run.tool);
  const named = runs.map((run) => {
    const isOnly = ofTool.get(run.tool)?.length === 1 || run.category === '';
    const category = given === null ? run.category : isOnly ? given : `${given}/${run.category}`;
    return { ...run, category };
  });
  const alike = Map.groupBy(named, keyOf);
  const numbered = (category: string, number: number) => (number === 1 ? category : `${category}#${number}`);
  return named.map((run) => {
    const runsAlike = alike.get(keyOf(run)) ?? [];
    const { category } = run;
    return {
      ...run,
      category: numbered(category, runsAlike.indexOf(run) + 1),
      nextCategory: numbered(category, runsAlike.length + 1),
    };
  });
}

const keyOf = ({ tool, category }: PreparedRun): string => JSON.stringify([tool, category]);
