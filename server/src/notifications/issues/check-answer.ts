/** Checks the answers of trackers: anything may answer at an address that an admin has entered. */
import { type Static, type TSchema, Type } from 'typebox';
import { cleanedName } from '../../domain/plain-name.ts';
import { matchesSchema } from '../../http/schema.ts';
import { maxRemoteText, notTheApi, type RemoteIssue } from './tracker-client.ts';

/** The schema of a field that may be null or missing. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** Returns the answer. Throws TrackerError if it does not have the form of the schema. */
export function checkedAnswer<Schema extends TSchema>(schema: Schema, answer: unknown): Static<Schema> {
  if (!matchesSchema(schema, answer)) throw notTheApi();
  return answer;
}

/** The time of an answer. Throws TrackerError for a text that is no time which the database can store. */
export function checkedTime(text: string): Date {
  const time = new Date(text);
  // Also false if it is no time.
  if (!(time.getTime() >= 0 && time.getTime() < firstOfYear10000)) throw notTheApi();
  return time;
}

const firstOfYear10000 = Date.UTC(10_000, 0);

/**
 * An issue whose fields have been checked by the schema of its tracker. Its texts become such that can be stored and
 * shown.
 */
export function checkedIssue({
  key,
  status,
  isClosed,
  assignee,
  changedAt,
}: Omit<RemoteIssue, 'changedAt'> & { changedAt: string }): RemoteIssue {
  return {
    key,
    status: cleanedName(status, maxRemoteText),
    isClosed,
    assignee: assignee === null ? null : cleanedName(assignee, maxRemoteText) || null,
    changedAt: checkedTime(changedAt),
  };
}
