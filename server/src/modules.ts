/**
 * The modules of the server, from the bottom up: a module imports only modules that come before it. A folder or a file
 * of `src/` is a module. `test/gates/modules.test.ts` checks the order. ARCHITECTURE.md shows it with the imports
 * (`npm run module-map`).
 */
export const modules = [
  {
    name: 'domain',
    about: 'pure types and rules: ids, enumerations, packed states, versions, errors, the change set',
  },
  { name: 'config', about: 'every setting' },
  {
    name: 'db',
    about: 'pools, the transaction of a workspace, migrations, the settings of the embedded PostgreSQL',
  },
  { name: 'events', about: 'the outbox: what has happened in a workspace, in order' },
  { name: 'jobs', about: 'the queue' },
  { name: 'tracing', about: 'spans of traces, if they are configured' },
  { name: 'metrics', about: 'metrics for Prometheus' },
  { name: 'parsers', about: 'pure functions that turn reports of scanners into findings' },
  { name: 'http', about: 'the parts of every request: access, limits, validation, cursors, errors' },
  { name: 'access', about: 'workspaces, members, users, sign-in, API keys, the audit log' },
  { name: 'inventory', about: 'organizations, repositories, references, applications, packages' },
  { name: 'vulnerabilities', about: 'list, detail, state, history, counters' },
  { name: 'policies', about: 'definition, evaluation, violations, exceptions, snoozes, verdicts' },
  {
    name: 'actions',
    about: 'use cases that span modules: triage, undo, merge and split, the feeds, the inventory file',
  },
  { name: 'ingest', about: 'the path of a report: upload, preparation, import, series of scans' },
  { name: 'reports', about: 'read-only views: the gate, export, overview, settings' },
  {
    name: 'notifications',
    about:
      'the ways to tell what has happened: the feed of events, webhooks, messages in chats, mail, issues',
  },
  { name: 'retention', about: 'deletes old data: workspaces, people, old history' },
  { name: 'backup', about: 'backup and restore of an install' },
  { name: 'commit-steps', about: 'the steps before each commit of a workspace' },
  { name: 'open', about: 'opens the database of a configuration' },
  { name: 'sweep', about: 'does the work that the clock makes due' },
  { name: 'worker', about: 'processes the queue, sweeps, and starts the rounds of `notifications`' },
  { name: 'app', about: 'builds the server of its parts' },
  { name: 'doctor', about: 'checks of an install, and the isolation self-test' },
  { name: 'commands', about: "the operator's command line" },
  { name: 'main', about: 'parses the arguments and returns an exit code' },
] as const;
