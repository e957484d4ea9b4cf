/** Reads CISA's catalogue of known exploited vulnerabilities, as JSON. It takes the whole catalogue or throws. */
import { isCveId } from '../../domain/cve.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Sentence } from '../../domain/sentence.ts';

export interface KevEntry {
  cve: string;
  addedOn: string;
  dueOn: string | null;
  vendor: string;
  product: string;
  name: string;
  ransomware: boolean;
}

export interface KevCatalogue {
  version: string;
  publishedAt: Date;
  entries: KevEntry[];
}

type Json = Record<string, unknown>;

// The first CVE ids are from this year. An earlier date is a mistake, and PostgreSQL has no year 0.
const leastDate = '1999-01-01';
const datePattern = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/;

/** Throws DomainError with the JSON pointer of the wrong value. */
export function parseKev(text: string): KevCatalogue {
  const catalogue = readJson(text);
  const list = catalogue.vulnerabilities;
  if (!Array.isArray(list) || typeof catalogue.catalogVersion !== 'string') {
    throw notKev('it lacks "catalogVersion" or the list "vulnerabilities"');
  }
  const publishedAt = new Date(typeof catalogue.dateReleased === 'string' ? catalogue.dateReleased : '');
  if (!(publishedAt.getTime() >= Date.parse(leastDate))) {
    throw wrong('/dateReleased', 'It must be a time from 1999 on.');
  }
  const positions = new Map<string, number>();
  const entries = list.map((value, index) => {
    const entry = readEntry(value, `/vulnerabilities/${index}`);
    const before = positions.get(entry.cve);
    if (before !== undefined) {
      throw wrong(
        `/vulnerabilities/${index}/cveID`,
        `The entry /vulnerabilities/${before} has ${entry.cve} too.`,
      );
    }
    positions.set(entry.cve, index);
    return entry;
  });
  if (catalogue.count !== entries.length) {
    throw wrong('/count', `It must be the number of entries, ${entries.length}.`);
  }
  return { version: storable(catalogue.catalogVersion), publishedAt, entries };
}

function readJson(text: string): Json {
  if (/^\uFEFF?"?cveID"?,/.test(text)) {
    throw notKev('it is the CSV file, which has no version: use known_exploited_vulnerabilities.json');
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw notKev(`it is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw notKev('it is not an object');
  return value as Json;
}

function readEntry(value: unknown, pointer: string): KevEntry {
  if (typeof value !== 'object' || value === null) throw wrong(pointer, 'It must be an object.');
  const entry = value as Json;
  const text = (field: string): string => {
    const found = entry[field];
    if (typeof found !== 'string') throw wrong(`${pointer}/${field}`, 'It must be text.');
    return storable(found).trim();
  };
  const cve = text('cveID').toUpperCase();
  if (!isCveId(cve)) throw wrong(`${pointer}/cveID`, 'It must be a CVE id.');
  const dueOn = entry.dueDate === undefined || entry.dueDate === '' ? null : text('dueDate');
  const dates = { dateAdded: text('dateAdded'), ...(dueOn === null ? {} : { dueDate: dueOn }) };
  for (const [field, date] of Object.entries(dates)) {
    if (!isDate(date)) throw wrong(`${pointer}/${field}`, 'It must be a date from 1999 on, YYYY-MM-DD.');
  }
  const ransomware = text('knownRansomwareCampaignUse').toLowerCase();
  if (ransomware !== 'known' && ransomware !== 'unknown') {
    throw wrong(`${pointer}/knownRansomwareCampaignUse`, 'It must be Known or Unknown.');
  }
  return {
    cve,
    addedOn: dates.dateAdded,
    dueOn,
    vendor: text('vendorProject'),
    product: text('product'),
    name: text('vulnerabilityName'),
    ransomware: ransomware === 'known',
  };
}

// Removes what PostgreSQL cannot store in a text: NUL and lone surrogates.
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function isDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return (
    datePattern.test(text) &&
    text >= leastDate &&
    !Number.isNaN(time.getTime()) &&
    time.toISOString().startsWith(text)
  );
}

export function notKev(reason: string): DomainError {
  return invalidInput(`This is not CISA's catalogue of known exploited vulnerabilities: ${reason}.`);
}

function wrong(pointer: string, rule: Sentence): DomainError {
  return invalidInput(`The value at ${pointer} is wrong. ${rule}`);
}
