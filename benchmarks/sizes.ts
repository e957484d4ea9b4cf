/** The sizes of a run. `tiny` shows that everything runs; its figures mean nothing. `brief` compares two databases in minutes. */
export interface Size {
  /** Vulnerabilities of the workspace in which lists, filters and policies are measured. */
  vulnerabilities: number;
  /** Lists of the second workspace are compared with those of the first. */
  growth: { from: number; to: number };
  /** This many workspaces are compared with one that has as many vulnerabilities as all of them. */
  workspaces: number;
  /** Findings of the large reports. */
  findings: number;
  /** A report of the first size is compared with one of the second, for each finding. */
  smallReports: [number, number];
  /** Findings of the largest report that the limits allow; null if it is not measured. */
  largestReport: number | null;
  /** Connections of the runs under load. The aim is that of 16. */
  connections: number[];
  /** The time of each run under load. */
  seconds: number;
  /** Requests for each percentile of lists, and those before that only warm up. */
  requests: number;
  warmUps: number;
}

const usual = {
  findings: 100_000,
  smallReports: [1_000, 10_000] as [number, number],
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
    connections: [2],
    largestReport: null,
    seconds: 0.3,
    requests: 2,
    warmUps: 1,
  },
  brief: {
    ...usual,
    vulnerabilities: 5_000,
    growth: { from: 500, to: 5_000 },
    workspaces: 10,
    findings: 2_000,
    smallReports: [100, 500],
    connections: [4],
    largestReport: null,
    seconds: 2,
  },
  small: {
    ...usual,
    vulnerabilities: 100_000,
    growth: { from: 10_000, to: 100_000 },
    workspaces: 100,
    largestReport: null,
  },
  full: {
    ...usual,
    vulnerabilities: 1_000_000,
    growth: { from: 1_000_000, to: 10_000_000 },
    workspaces: 1_000,
    largestReport: 250_000,
    seconds: 15,
    requests: 200,
  },
} satisfies Record<string, Size>;

export type SizeName = keyof typeof sizes;
