/**
 * The modules of the server, from the bottom up: a module imports only modules that come before it. A folder or a file
 * of `src/` is a module. `test/gates/modules.test.ts` checks the order, and ARCHITECTURE.md shows it.
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
  { name: 'jobs', about: 'the queue' },
  { name: 'tracing', about: 'spans, where they are configured' },
  { name: 'metrics', about: 'what Prometheus reads' },
  { name: 'parsers', about: 'what scanners write: pure functions, bytes in, findings out' },
  { name: 'http', about: 'what every request meets: access, limits, validation, cursors, errors' },
  { name: 'access', about: 'workspaces, members, users, sign-in, API keys, the audit log' },
  { name: 'inventory', about: 'organizations, repositories, references, applications, packages' },
  { name: 'vulnerabilities', about: 'list, detail, state, history, counters' },
  { name: 'policies', about: 'definition, evaluation, violations, exceptions, snoozes, verdicts' },
  {
    name: 'actions',
    about: 'use cases that span modules: triage, undo, merge and split, the feeds, the inventory file',
  },
  { name: 'ingest', about: 'a report on its way: upload, preparation, import, series of scans' },
  { name: 'reports', about: 'what only reads: the gate, export, overview, settings' },
  { name: 'retention', about: 'deletes what is no longer kept: workspaces, people, old history' },
  { name: 'backup', about: 'a whole install as one file, and back' },
  { name: 'commit-steps', about: 'what runs before each commit of a workspace' },
  { name: 'open', about: 'opens the database of a configuration' },
  { name: 'sweep', about: 'does what is due by the clock' },
  { name: 'worker', about: 'works through the queue, and sweeps' },
  { name: 'app', about: 'the server, put together' },
  { name: 'doctor', about: 'checks of an install, and the isolation self-test' },
  { name: 'commands', about: "the operator's command line" },
  { name: 'main', about: 'arguments in, exit codes out' },
] as const;
