/**
 * Joins a vulnerability with the feeds at each read: by its advisory and by every other id it has. This file owns the
 * form in which both feeds are shown, and writes nothing.
 */
import { Type } from 'typebox';
import { NullableString, namedObject } from '../http/schema.ts';
import { sqlAllIds } from './identifiers.ts';

export const NullableKev = Type.Union([
  namedObject('KevEntry', {
    added_on: Type.String({ format: 'date' }),
    due_on: NullableString,
    ransomware: Type.Boolean({ description: 'True: it is known to be used in ransomware campaigns.' }),
  }),
  Type.Null(),
]);

export const NullableEpss = Type.Union([
  namedObject('EpssScore', { score: Type.Number(), percentile: Type.Number() }),
  Type.Null(),
]);

export interface IntelColumns {
  kev: { added_on: string; due_on: string | null; ransomware: boolean } | null;
  epss: { score: number; percentile: number } | null;
}

export const intelColumns = 'in_kev.shown as kev, in_epss.shown as epss';

// If there are several CVEs, the entry that is due first and the highest score count.
/** Joins for a statement with `vulnerability` as v. */
export const intelJoins = `
       left join lateral (
         select json_build_object('added_on', k.added_on, 'due_on', k.due_on, 'ransomware', k.ransomware) as shown
           from kev k where k.cve = any(${sqlAllIds('v')})
          order by k.due_on nulls last, k.added_on, k.cve limit 1) in_kev on true
       left join lateral (
         select json_build_object('score', e.score, 'percentile', e.percentile) as shown
           from epss e where e.cve = any(${sqlAllIds('v')})
          order by e.score desc, e.cve limit 1) in_epss on true`;
