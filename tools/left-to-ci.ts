/**
 * Test files that `npm test` leaves to CI, each with the reason: they take long, and rarely fail. Other files have a
 * short form (`server/test/support/form.ts`).
 */
export const leftToCi: Record<string, string> = {
  'console/test/{api-docs,audit,exceptions,forges,inventory,invite,issues,keys,members,policies,policy-editor,scan-series-list,scans,server-away,settings,waiting,webhooks}.test.ts':
    'they show the pages of administration; the rules behind these have tests of the API',
  'console/test/{command-palette,jobs,list-search,packages,saved-views,scan-upload}.test.ts':
    'they show shorter ways to what other tests of pages show',
  'console/test/vulnerability-{elsewhere,evidence,export}.test.ts':
    'they show what helps in reading; the way from a report to a decision is shown in each run',
  'console/test/click-walk.test.ts': 'it builds the console once more, with source maps',
  'console/test/isolation.test.ts':
    'it opens every page in search of foreign data; server/test/gates/isolation-walk.test.ts asks all routes for it',
  'benchmarks/*.test.ts': 'they run the benchmarks at their smallest size',
  'packaging/packages.test.ts': 'it packs a release and installs it',
  'packaging/ci-templates.test.ts': 'it runs the templates for CI against a server',
  'packages/embedded-postgres/src/open-postgres.test.ts': 'it starts, kills and repairs forty PostgreSQL',
  'server/test/api/{fairness,hung-up,strangers}.test.ts': 'they wait for slow clients and for limits',
  'server/test/commands/{backup,prune}.test.ts': 'they copy and empty whole databases',
  'server/test/commands/compiled-code.test.ts': 'it starts programs whose code is not compiled yet',
  'server/test/commands/{operator,server-database}.test.ts':
    'they start programs again and again, as server/test/commands/readme.test.ts does once',
  'server/test/commands/doctor*.test.ts':
    'they walk all routes of a server, as server/test/gates/isolation-walk.test.ts does',
  'server/test/faults/{issues-kill,processes,replica,restart,rolling-upgrade,supervisor,webhooks-kill}.test.ts':
    'they kill processes and fill disks; server/test/faults/kill.test.ts has a short form',
  'server/test/gates/ci-story.test.ts': 'it plays the story of docs/ci.md',
  'server/test/gates/report-walk.test.ts': 'it reads the types of all sources',
  'server/test/fuzz/{api,service}.test.ts':
    'they send thousands of made-up requests and reports; server/test/fuzz/parser.test.ts has a short form',
  'server/test/gates/*plans.test.ts': 'they read the plan of every statement of lists in large workspaces',
  'server/test/import/advisory-oracle.test.ts':
    'it compares the match of real advisories with their definition, version by version',
  'server/test/import/samples.test.ts':
    'it imports every real report twice; server/test/import/samples-more.test.ts has a short form',
  'server/test/metrics/*.test.ts': 'they start servers with several processes for what operators watch',
  'server/test/notifications/{invitation-mail,issues,issue-*,webhooks,webhook-*}.test.ts':
    'they wait for mail servers, trackers and receivers that fail; server/test/notifications/mail.test.ts has a short form',
  'server/test/mutations/*.test.ts': 'they plant leaks and walk all routes to find them',
};
