/**
 * Test files that `npm test` leaves to CI, each with the reason: they take long, and rarely fail. Other files have a short
 * form (`server/test/support/form.ts`).
 */
export const leftToCi: Record<string, string> = {
  'benchmarks/*.test.ts': 'they run the benchmarks at their smallest size',
  'packaging/packages.test.ts': 'it packs a release and installs it',
  'packaging/ci-templates.test.ts': 'it runs the templates for CI against a server',
  'packages/embedded-postgres/src/open-postgres.test.ts': 'it starts, kills and repairs forty PostgreSQL',
  'server/test/commands/doctor*.test.ts':
    'they walk all routes of a server, as server/test/gates/isolation-walk.test.ts does',
  'server/test/faults/{issues-kill,processes,replica,restart,rolling-upgrade,webhooks-kill}.test.ts':
    'they kill processes and fill disks; server/test/faults/kill.test.ts has a short form',
  'server/test/gates/ci-story.test.ts': 'it plays the story of docs/ci.md',
  'server/test/gates/*plans.test.ts': 'they read the plan of every statement of lists in large workspaces',
  'server/test/import/samples.test.ts':
    'it imports every real report twice; server/test/import/samples-more.test.ts has a short form',
  'server/test/mutations/*.test.ts': 'they plant leaks and walk all routes to find them',
};
