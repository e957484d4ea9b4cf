/** The requests of Merlon to an issue tracker, whichever it is, and the ways in which they fail. */

export const trackerKinds = ['github', 'gitlab', 'jira'] as const;
export type TrackerKind = (typeof trackerKinds)[number];

/** The label of every issue that Merlon makes. The client of Jira finds them by it. */
export const commonLabel = 'merlon';

/** The address of the tracker, the project, and the token for its API. */
export interface TrackerAccess {
  /** The address of its pages, without a final slash, such as https://github.com. */
  url: string;
  /** `owner/name`, `group/name`, or the key of a Jira project. */
  project: string;
  token: string;
  /** Jira Cloud: the e-mail address of the token's user. Null: the token alone, as Jira Data Center takes it. */
  user: string | null;
}

/** The settings of a Jira project, which has its own types of issues and its own workflow. */
export interface JiraWorkflow {
  issueType: string;
  /** The status of a closed issue. Null: the first one of the category "done" to which the workflow leads. */
  closedStatus: string | null;
  /** The status of an issue that is open again. Null: the first one of another category. */
  openStatus: string | null;
}

/** An issue as its tracker has it. */
export interface RemoteIssue {
  /** Its number as text, or its key in Jira. */
  key: string;
  status: string;
  isClosed: boolean;
  assignee: string | null;
  changedAt: Date;
}

export interface NewIssue {
  title: string;
  body: string;
  labels: readonly string[];
  /** Stands in the body, so that the issue is found again by it. */
  marker: string;
}

export interface ProjectState {
  /** Everybody can read it. */
  isPublic: boolean;
  /** False if its issues are switched off. */
  hasIssues: boolean;
}

/**
 * A part of the issues of a project that changed since a time, in the order of their creation, which no change moves.
 */
export interface ChangedIssues {
  issues: RemoteIssue[];
  /** The start of the next part; null if this is the last one. */
  next: string | null;
  /** The number of issues that were left out, because the API does not give such ones. */
  unreadable: number;
}

/** All functions throw TrackerError. */
export interface TrackerClient {
  readProject(): Promise<ProjectState>;
  create(issue: NewIssue): Promise<RemoteIssue>;
  /**
   * The first issue with this marker that was made since then; null if there is none. Jira looks at all, by their
   * label.
   */
  find(marker: string, since: Date): Promise<RemoteIssue | null>;
  comment(key: string, text: string, marker: string): Promise<void>;
  hasComment(key: string, marker: string, since: Date): Promise<boolean>;
  /** Closes or opens the issue. One that is so already stays as it is. */
  setClosed(key: string, isClosed: boolean): Promise<RemoteIssue>;
  /**
   * At most five hundred issues, from `next` of the part before on, with the same `since`; null is the first part.
   * `now` is the present time, because Jira compares with minutes before it.
   */
  listChanged(from: { since: Date; next: string | null }, now: Date): Promise<ChangedIssues>;
}

/**
 * `unauthorized`: the token is not valid. `limited`: too many requests. `missing`: there is no such project or issue.
 * `refused`: the tracker understood the request and will answer it in the same way again. `unreachable`: no answer, or
 * one that says a fault of the tracker; whether the request was carried out is unknown. `unexpected`: an answer that
 * the API does not give, or an error of Merlon; whether the request was carried out is unknown too, but others may
 * succeed.
 */
export type TrackerFailure =
  | 'unauthorized'
  | 'limited'
  | 'missing'
  | 'refused'
  | 'unreachable'
  | 'unexpected';

/** `message` is shown to admins. It holds nothing of the answer but its status and names of fields. */
export class TrackerError extends Error {
  readonly failure: TrackerFailure;
  /** The time that the tracker asks to wait, in milliseconds; null if it asks for none. */
  readonly waitMs: number | null;

  constructor(failure: TrackerFailure, message: string, waitMs: number | null = null) {
    super(message);
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

/** The error of an answer that the API of the tracker does not give. */
export function notTheApi(): TrackerError {
  return new TrackerError('unexpected', 'the answer is not that of the API: check the address');
}

/** Texts of a tracker are shown and stored only up to this length. */
export const maxRemoteText = 255;
