import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  shownText,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { brakeman } from './brakeman.ts';
import type { Report, ReportFinding } from './report.ts';
import { sarif } from './sarif/sarif.ts';

const fixture = (name: string): Report => readFixture(brakeman, `${name}.json`);

test('reads a warning with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/warnings/0',
    type: 'sast',
    severity: 'low',
    title: 'Dynamic Render Path: Render path contains parameter value',
    description: 'Render path contains parameter value\n\nUser input: params[:id]',
    rule: 'BRAKE0015',
    cwes: ['CWE-22'],
    path: 'app/views/beds/show.html.erb',
    line: 25,
    fingerprint: { scheme: 'brakeman', value: 'a1'.repeat(32), pathFree: false },
    code: 'render(action => Bed.find(params[:id]), {})',
    links: ['https://brakemanscanner.org/docs/warning_types/dynamic_render_path/'],
    evidence: {
      ...emptyEvidence,
      dataFlow: [
        {
          path: 'app/controllers/beds_controller.rb',
          line: 63,
          text: 'BedsController#show renders beds/show',
        },
        {
          path: 'app/views/beds/show.html.erb',
          line: 25,
          text: 'render(action => Bed.find(params[:id]), {})',
        },
      ],
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 5);
  assert.deepEqual(unreadableIn(report), ['/warnings/2', '/warnings/3']);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category'), [
    ['brakeman', '7.0.0', 'apps/beds'],
  ]);
  assert.match(report.warnings.join(' '), /could not read some files/);
});

test('ignored warnings are suppressed, and a warning about a version names its advisory', () => {
  const [, rails, ignored] = findingsOf(fixture('before'));
  assert.deepEqual(
    [rails?.severity, rails?.path, rails?.line, rails?.relatedAdvisories],
    ['high', 'Gemfile.lock', null, ['CVE-2031-3464']],
  );
  assert.deepEqual(ignored?.suppression, { by: 'file', reason: 'Only gardeners.', expiresAt: null });
  assert.deepEqual([ignored?.rule, ignored?.pointer], ['BRAKE0000', '/ignored_warnings/0']);
  assert.equal(ignored?.evidence?.dataFlow[0]?.text, 'BedsController#show');
});

test('a warning keeps its fingerprint in another line, and a path of a laptop is no category', () => {
  const report = fixture('after');
  const moved = findingsOf(report)[1];
  assert.deepEqual(moved?.fingerprint, findingsOf(fixture('before'))[0]?.fingerprint);
  assert.equal(report.runs[0]?.category, '');
});

test("Brakeman's SARIF of the same scan gives the same finding", () => {
  const [same] = findingsOf(
    readContent(sarif, {
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: { name: 'Brakeman', rules: [{ id: 'BRAKE0015', name: 'Render/Dynamic Render Path' }] },
          },
          results: [
            {
              ruleId: 'BRAKE0015',
              ruleIndex: 0,
              level: 'note',
              message: { text: 'Render path contains parameter value.' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'app/views/beds/show.html.erb', uriBaseId: '%SRCROOT%' },
                    region: { startLine: 25 },
                  },
                },
              ],
            },
          ],
        },
      ],
    }),
  );
  const [own] = findingsOf(fixture('before'));
  const keys = (finding: ReportFinding | undefined): unknown[] => [
    finding?.rule,
    finding?.path,
    finding?.line,
    finding?.severity,
  ];
  assert.deepEqual(keys(same), keys(own));
});

test('a password in code is masked', () => {
  const warning = {
    warning_code: 13,
    message: 'The password "rake-and-rose" is in the code',
    file: 'app/gate.rb',
    code: 'http_basic_authenticate_with(:name => "gate", :password => "rake-and-rose")',
    cwe_id: [259],
    render_path: [{ type: 'controller', class: 'Gate', method: 'open' }],
  };
  const report = readContent(brakeman, { scan_info: {}, warnings: [warning] });
  assert.doesNotMatch(shownText(report), /rake-and-rose/);
  assert.equal(findingsOf(report)[0]?.rawCode, warning.code);
});

test('an empty report is recognised, and warnings of another tool are not', () => {
  assert.equal(fixture('empty').read, 0);
  assert.equal(recognises(brakeman, { warnings: [] }), false);
  assert.equal(recognises(brakeman, { warnings: ['the lock file is old'] }), false);
});

test('what was found in a file that could not be read stays open, and after any other error everything', () => {
  const run = (error: string, location = 'ruby_parser.rb:1'): unknown => {
    const report = { scan_info: { app_path: '/build/garden' }, warnings: [], errors: [{ error, location }] };
    const [first] = readContent(brakeman, report).runs;
    return first?.outcome === 'succeeded' ? first.gaps.map(({ path }) => path) : first?.outcome;
  };
  assert.deepEqual(
    run('app/models/bed.rb:3 :: parse error on value "Parsing it" Could not parse app/models/bed.rb'),
    ['app/models/bed.rb'],
  );
  assert.deepEqual(
    run('Parsing lib/rake.rb took too long (> 10 seconds). Try increasing the limit with --parser-timeout'),
    ['lib/rake.rb'],
  );
  // The paths of templates are absolute, and an error of HAML has its template in the place of the location.
  const view = '/build/garden/app/views/beds/show.html.haml';
  assert.deepEqual(run(`undefined method 'x' for nil While processing ${view}`), [
    'app/views/beds/show.html.haml',
  ]);
  assert.deepEqual(run('Illegal nesting', `While compiling HAML in ${view}`), [
    'app/views/beds/show.html.haml',
  ]);
  assert.equal(run("undefined method 'rake' for nil"), 'failed');
});
