/** Cases of the table in docs/identity.md about the reports of a code scanner. */
import { type CodeResult, sarif } from '../support/reports.ts';
import {
  a,
  alone,
  type Change,
  code,
  kept,
  other,
  replaced,
  reports,
  stays,
  unchanged,
} from './report-change.ts';

const bare: CodeResult = { ...alone, line: 10 };
const twin: CodeResult = { ...alone, message: 'sqli in another query' };
const printed: CodeResult = { ...a, fingerprint: '9c1185a5c5e9fc54612808977ee8f548b2258d31' };
const numbered = (line: number, number: number): CodeResult => ({
  ...{ ...a, line, fingerprint: `${'ab'.repeat(20)}_${number}` },
});
const at = (path: string): CodeResult => ({ ...a, path });

/** Findings without code in five files of a folder. Two files have the same name. */
const tree = (folder: string): CodeResult[] =>
  ['a.ts', 'b.ts', 'b/a.ts', 'b/c.ts', 'd.ts'].map((file) => ({ ...bare, path: `${folder}${file}` }));
const five = Array.from({ length: 5 }, () => ({ status: 'open' as const, places: 1 }));
const inTree = ['moved-folder', 'moved-folder', 'moved-folder', 'moved-folder', 'moved-folder'];

export const changesInCode: Change[] = [
  {
    change: 'nothing',
    ...stays,
    steps: code(a, a),
    matchMethods: ['new'],
  },
  {
    change: 'results in another order',
    says: 'unchanged',
    steps: reports(sarif([a, other]), sarif([other, a])),
    counts: { unchanged: 2 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'the same result twice',
    says: 'unchanged, one location',
    steps: reports(sarif([a]), sarif([a, a])),
    ...kept,
  },
  {
    change: 'version of the tool',
    ...stays,
    steps: reports(sarif([a], { version: '1.0.0' }), sarif([a], { version: '2.0.0' })),
  },
  {
    change: 'name of the product, of the same family',
    ...stays,
    steps: reports(sarif([a], { tool: 'semgrep' }), sarif([a], { tool: 'Semgrep OSS' })),
  },
  {
    change: 'text and severity of the rule',
    says: 'unchanged, with the new title and severity',
    steps: code({ ...a, level: 'note' }, { ...a, message: 'SQL from a request' }),
    counts: unchanged,
    known: [{ status: 'open', severity: 'high', title: 'SQL from a request' }],
  },
  {
    change: 'rule renamed',
    says: 'new and fixed: no telling',
    steps: code(a, { ...a, rule: 'sql-injection' }),
    ...replaced,
  },
  {
    change: 'rules of Semgrep in another folder (`home.runner.rules.sql-injection`)',
    ...stays,
    steps: code({ ...a, rule: 'rules.sql-injection' }, { ...a, rule: 'home.runner.rules.sql-injection' }),
  },
  {
    change: 'line shifted, with the code in the report',
    says: 'unchanged, however far',
    steps: code(a, { ...a, line: 400 }),
    ...kept,
  },
  {
    change: 'line shifted by up to 50, with no code in the report',
    ...stays,
    steps: code(bare, { ...bare, line: 60 }),
    matchMethods: ['nearest-line'],
  },
  {
    change: 'line shifted by more than 50, with no code in the report',
    says: 'new and fixed',
    steps: code(bare, { ...bare, line: 61 }),
    ...replaced,
  },
  {
    change: 'code indented and wrapped anew',
    ...stays,
    steps: code(a, { ...a, line: 11, code: '  db.query("select "\n    + id)' }),
  },
  {
    change: 'code edited in its line',
    ...stays,
    steps: code(a, { ...a, code: 'db.query("select * " + id)' }),
    matchMethods: ['nearest-line'],
  },
  {
    change: 'code edited and moved by up to 50 lines',
    ...stays,
    steps: code(a, { ...a, line: 55, code: 'db.query("select * " + id)' }),
    matchMethods: ['nearest-line'],
  },
  {
    change: 'code edited and moved by more than 50 lines',
    says: 'new and fixed',
    steps: code(a, { ...a, line: 80, code: 'db.query("select * " + id)' }),
    ...replaced,
  },
  {
    change: 'the same code twice in a file, the first removed',
    says: 'the second unchanged, the first fixed',
    steps: reports(sarif([a, { ...a, line: 30 }]), sarif([{ ...a, line: 29 }])),
    counts: { unchanged: 1, fixed: 1 },
    known: [{ status: 'fixed' }, { status: 'open' }],
  },
  {
    change: 'the same code twice in a file, and once more above',
    says: 'unchanged, the one above new',
    steps: [
      { report: sarif([a, { ...a, line: 30 }]) },
      {
        report: sarif([
          { ...a, line: 4 },
          { ...a, line: 12 },
          { ...a, line: 32 },
        ]),
      },
      {
        report: sarif([
          { ...a, line: 12 },
          { ...a, line: 32 },
        ]),
        ref: 'x',
      },
    ],
    counts: { unchanged: 2 },
    known: [
      { status: 'open', places: 2 },
      { status: 'open', places: 2 },
      { status: 'open', places: 1 },
    ],
  },
  {
    change: 'the same code twice in a file, with numbered fingerprints, the first removed',
    says: 'the second unchanged, the first fixed',
    steps: reports(sarif([numbered(10, 0), numbered(30, 1)]), sarif([numbered(29, 0)])),
    counts: { unchanged: 1, fixed: 1 },
    known: [{ status: 'fixed' }, { status: 'open' }],
  },
  {
    change: 'another problem of the rule added above',
    says: 'unchanged, the other new',
    steps: reports(
      sarif([a]),
      sarif([
        { ...a, line: 4, code: 'db.query("delete " + id)' },
        { ...a, line: 12 },
      ]),
    ),
    counts: { new: 1, unchanged: 1 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'file renamed, the same code',
    ...stays,
    steps: code(a, at('src/queries.ts')),
    matchMethods: ['renamed-file'],
  },
  {
    change: 'file renamed, the same code in two new files',
    says: 'two new, one fixed: no telling which',
    steps: reports(sarif([a]), sarif([at('src/b.ts'), at('src/c.ts')])),
    counts: { new: 2, fixed: 1 },
    known: [{ status: 'fixed' }, { status: 'open' }, { status: 'open' }],
  },
  {
    change: 'checkout in a folder that no build service uses, then in another',
    says: 'unchanged',
    steps: reports(
      sarif(
        [bare, { ...bare, path: 'src/b.ts' }].map((row) => ({
          ...row,
          path: `file:///Users/ann/shop/${row.path}`,
        })),
      ),
      sarif(
        [bare, { ...bare, path: 'src/b.ts' }].map((row) => ({
          ...row,
          path: `file:///scratch/x7/${row.path}`,
        })),
      ),
    ),
    counts: { unchanged: 2 },
    known: five.slice(3),
    matchMethods: inTree.slice(3),
  },
  {
    change: 'the whole tree moved, with no code in the report',
    says: 'unchanged, and what came with it is new',
    steps: reports(
      sarif(tree('src/')),
      sarif([...tree('services/shop/src/'), { ...bare, path: 'services/shop/src/e.ts' }]),
    ),
    counts: { unchanged: 5, new: 1 },
    known: [...five, { status: 'open' }],
    matchMethods: [...inTree, 'new'],
  },
  {
    change: 'one folder of several moved, with no code in the report',
    says: 'unchanged',
    steps: reports(sarif([...tree('src/old/'), other]), sarif([...tree('src/new/'), other])),
    counts: { unchanged: 6 },
    known: [...five, { status: 'open', places: 1 }],
    matchMethods: ['new', ...inTree],
  },
  {
    change: 'a folder copied, with no code in the report',
    says: 'the old unchanged, the copies new',
    steps: reports(sarif(tree('src/')), sarif([...tree('src/'), ...tree('copy/')])),
    counts: { unchanged: 5, new: 5 },
    known: [...five, ...five],
  },
  {
    change: 'a branch checked out in another folder',
    says: 'unchanged: the same on both',
    steps: [{ report: sarif(tree('src/')) }, { report: sarif(tree('tmp/job-7/src/')), ref: 'feature/x' }],
    counts: { unchanged: 5 },
    known: five.map((row) => ({ ...row, places: 2 })),
    matchMethods: inTree,
  },
  {
    change: 'a partial scan in another folder',
    says: 'new: it does not show what is gone',
    steps: [{ report: sarif(tree('src/')) }, { report: sarif(tree('tmp/x/')), partial: true }],
    counts: { new: 5 },
    known: [...five, ...five],
  },
  {
    change: 'file copied',
    says: 'the old unchanged, the copy new',
    steps: reports(sarif([a]), sarif([a, at('src/copy.ts')])),
    counts: { new: 1, unchanged: 1 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'file deleted',
    says: 'fixed',
    steps: reports(sarif([a, other]), sarif([other])),
    counts: { fixed: 1, unchanged: 1 },
    known: [{ status: 'fixed', places: 0 }, { status: 'open' }],
  },
  {
    change: 'the result is gone, and comes back',
    says: 'fixed, then reopened',
    steps: reports(sarif([a, other]), sarif([other]), sarif([a, other])),
    counts: { reopened: 1, unchanged: 1 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'the result is gone, and comes back in its line, with no code in the report',
    says: 'fixed, then reopened',
    steps: reports(sarif([bare, other]), sarif([other]), sarif([bare, other])),
    counts: { reopened: 1, unchanged: 1 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'the result is gone, and comes back in another line, with no code in the report',
    says: 'new: it may be another problem',
    steps: reports(sarif([bare, other]), sarif([other]), sarif([{ ...bare, line: 11 }, other])),
    counts: { new: 1, unchanged: 1 },
    known: [{ status: 'fixed' }, { status: 'open' }, { status: 'open' }],
  },
  {
    change: 'the result is gone, and comes back, with no code and no line in the report',
    says: 'fixed, then reopened',
    steps: reports(sarif([alone, other]), sarif([other]), sarif([alone, other])),
    counts: { reopened: 1, unchanged: 1 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change:
      'two results of a rule in one file are gone, and one comes back, with no code and no line in the report',
    says: 'new: no telling which',
    steps: reports(sarif([alone, twin, other]), sarif([other]), sarif([twin, other])),
    counts: { new: 1, unchanged: 1 },
    known: [{ status: 'fixed' }, { status: 'fixed' }, { status: 'open' }, { status: 'open' }],
  },
  {
    change: 'fingerprint the same, all else changed',
    ...stays,
    steps: code(printed, { ...printed, line: 300, code: 'run(sql)' }),
  },
  {
    change: 'fingerprint changed, same location and code',
    says: 'new and fixed: the tool says it is another',
    steps: code(printed, { ...printed, fingerprint: '2346ad27d7568ba9896f1b7da6b5991251debdf2' }),
    ...replaced,
  },
  {
    change: 'fingerprints come with an upgrade of the tool',
    ...stays,
    steps: code(a, printed),
    matchMethods: ['code'],
  },
  {
    change: 'fingerprints are lost',
    ...stays,
    steps: code(printed, a),
    matchMethods: ['code'],
  },
  {
    change: 'checkout in `/github/workspace/`',
    ...stays,
    steps: code(a, at('/github/workspace/src/a.ts')),
  },
  {
    change: 'checkout in `/builds/acme/shop/`',
    ...stays,
    steps: code(a, at('/builds/acme/shop/src/a.ts')),
  },
  {
    change: 'checkout in `C:\\a\\shop\\shop\\`, with back-slashes',
    ...stays,
    steps: code(a, at('C:\\a\\shop\\shop\\src\\a.ts')),
  },
  {
    change: 'checkout in `file:///home/runner/work/shop/shop/`',
    ...stays,
    steps: code(a, at('file:///home/runner/work/shop/shop/src/a.ts')),
  },
  {
    change: 'run in the id of the automation (`nightly/1`, `nightly/2`)',
    says: 'unchanged; what is absent is fixed',
    steps: reports(sarif([a, other], { automation: 'nightly/1' }), sarif([a], { automation: 'nightly/2' })),
    counts: { unchanged: 1, fixed: 1 },
    known: [{ status: 'open' }, { status: 'fixed' }],
  },
  {
    change: 'time, commit or number of the run in the category',
    says: 'unchanged; what is absent is fixed',
    steps: reports(
      sarif([a, other], { category: 'app/2031-05-06T07:08:09Z' }),
      sarif([a], { category: 'app/2031-05-07T07:09:10Z' }),
    ),
    counts: { unchanged: 1, fixed: 1 },
    known: [{ status: 'open' }, { status: 'fixed' }],
  },
  {
    change: 'category changed',
    says: 'unchanged; what is absent stays open, for the other category sees it',
    steps: [
      { report: sarif([a, other]), category: 'nightly' },
      { report: sarif([a]), category: 'weekly' },
    ],
    counts: unchanged,
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'category changed, with no code and no line in the report',
    says: 'new: it may be the same file of another part; what is absent stays open, for the other category sees it',
    steps: [
      { report: sarif([alone, twin]), category: 'nightly' },
      { report: sarif([alone, twin]), category: 'weekly' },
    ],
    counts: { new: 2 },
    known: [{ status: 'open' }, { status: 'open' }, { status: 'open' }, { status: 'open' }],
  },
  {
    change: 'found by another tool too, in code',
    says: 'a vulnerability of its own: rules of two tools are never known to be one',
    steps: reports(sarif([a]), sarif([a], { tool: 'CodeQL' })),
    counts: { new: 1 },
    known: [
      { status: 'open', tools: ['semgrep'] },
      { status: 'open', tools: ['codeql'] },
    ],
  },
];
