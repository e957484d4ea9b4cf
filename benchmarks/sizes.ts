/**
 * The sizes of a run. `tiny` only tests the benchmark: its figures mean nothing. `brief` takes minutes, to compare
 * databases.
 */
export interface Size {
  /** Vulnerabilities of the main workspace, in which lists, filters and policies are measured. */
  vulnerabilities: number;
  /** The sizes of two workspaces whose lists are compared. */
  growth: { from: number; to: number };
  /** The number of workspaces that are compared with one workspace of the same total size. */
  workspaces: number;
  /** Findings of a large report. */
  findings: number;
  /** The findings of two reports whose time for each finding is compared. */
  smallReports: [number, number];
  /** The other open pull requests of a repository. */
  pullRequests: number;
  /** Findings of the largest report that the limits allow. Null if it is not measured. */
  largestReport: number | null;
  /** The numbers of connections of the runs under load. Only the run with 16 has an aim. */
  connections: number[];
  /** The seconds of each run under load. */
  seconds: number;
  /** Requests for each percentile of a list. Warm-up requests come first and do not count. */
  requests: number;
  warmUps: number;
}

const defaults = {
  findings: 100_000,
  smallReports: [1_000, 10_000] as [number, number],
  pullRequests: 600,
  connections: [16, 8, 4],
  seconds: 5,
  requests: 60,
  warmUps: 10,
};

export const sizes = {
  tiny: {
    vulnerabilities: 1_000,
    growth: { from: 500, to: 1_000 },
    workspaces: 2,
    findings: 500,
    smallReports: [50, 100],
    pullRequests: 2,
    connections: [2],
    largestReport: null,
    seconds: 0.3,
    requests: 2,
    warmUps: 1,
  },
  brief: {
    ...defaults,
    vulnerabilities: 5_000,
    growth: { from: 500, to: 5_000 },
    workspaces: 10,
    findings: 2_000,
    smallReports: [100, 500],
    pullRequests: 60,
    connections: [4],
    largestReport: null,
    seconds: 2,
  },
  small: {
    ...defaults,
    vulnerabilities: 100_000,
    growth: { from: 10_000, to: 100_000 },
    workspaces: 100,
    largestReport: null,
  },
  full: {
    ...defaults,
    vulnerabilities: 1_000_000,
    growth: { from: 1_000_000, to: 10_000_000 },
    workspaces: 1_000,
    largestReport: 250_000,
    seconds: 15,
    requests: 200,
  },
} satisfies Record<string, Size>;

export type SizeName = keyof typeof sizes;
