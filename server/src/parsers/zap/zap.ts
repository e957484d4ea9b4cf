/**
 * ZAP's traditional reports, JSON and XML, which have the same content. Each alert is a row. Each of its instances with
 * a different address, method and parameter is a finding, read in `alerts.ts`.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, stringAt } from '../reading/json.ts';
import { listAt, type RowList } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport, takeRow } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import { attributeOf, readXml, xmlRoot } from '../reading/xml.ts';
import { recordOf } from '../reading/xml-record.ts';
import type { Report, ReportFinding } from '../report.ts';
import { readAlert } from './alerts.ts';

export const zap: Format = {
  name: 'zap',
  marks: ['@version', '@generated', 'site'],
  runFields: ['@generated', 'created'],
  recognises,
  parse,
};

const rootName = 'OWASPZAPReport';
const lists = new Set(['instances']);

function recognises({ json, text }: ReportDocument): boolean {
  if (json === undefined) return xmlRoot(text)?.name === rootName;
  // GitLab's older reports contain those of ZAP in addition to rows of their own.
  if (Array.isArray(field(json, 'vulnerabilities'))) return false;
  const site = field(json, 'site');
  if (site === undefined || (stringAt(json, '@version') === null && stringAt(json, '@generated') === null)) {
    return false;
  }
  return elements(site).every((element) => element === null || Object.hasOwn(element, 'alerts'));
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const reader = new AlertReader(context);
  const head =
    document.json === undefined
      ? readXmlReport(document.text, reader, context)
      : readJsonReport(document.json, reader);
  if (head.sites === 0) {
    context.warn('ZAP reached no site: this run has no results, so it closes nothing.');
  }
  return {
    ...newReport(zap.name, context, [
      newRun({
        tool: 'zap',
        toolVersion: cleanName(head.version, context),
        outcome: head.sites === 0 ? 'scanned_nothing' : 'succeeded',
        showsScan: head.sites > 0,
        findings: reader.findings,
      }),
    ]),
    read: reader.read,
  };
}

interface ReportHeader {
  version: string | null;
  /** The number of sites. It is 0 if ZAP could reach nothing. */
  sites: number;
}

function readXmlReport(text: string, reader: AlertReader, context: ParseContext): ReportHeader {
  const head: ReportHeader = { version: null, sites: 0 };
  let site: string | null = null;
  readXml(text, context, {
    row: 'alertitem',
    onRoot: (root) => {
      head.version = attributeOf(root, 'version');
    },
    onOpen: (element) => {
      if (element.name !== 'site') return;
      head.sites++;
      site = attributeOf(element, 'name');
    },
    onRow: (element, pointer) => reader.take(recordOf(element, lists), site, pointer),
  });
  return head;
}

function readJsonReport(json: unknown, reader: AlertReader): ReportHeader {
  const sites = field(json, 'site');
  for (const [index, site] of elements(sites).entries()) {
    const pointer = Array.isArray(sites) ? `/site/${index}` : '/site';
    if (site === null) reader.take(null, null, pointer);
    for (const [number, alert] of reader.alertsOf(site, pointer).entries()) {
      reader.take(alert, stringAt(site, '@name'), `${pointer}/alerts/${number}`);
    }
  }
  return { version: stringAt(json, '@version'), sites: elements(sites).length };
}

class AlertReader {
  read = 0;
  readonly findings: ReportFinding[] = [];
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  alertsOf(site: unknown, pointer: string): RowList | readonly unknown[] {
    const known = this.#context.unreadable.length;
    const alerts = listAt(site, 'alerts', pointer, this.#context);
    this.read += this.#context.unreadable.length - known;
    return alerts;
  }

  take(alert: unknown, site: string | null, pointer: string): void {
    this.read++;
    // The limit is about findings, and an alert may have thousands of them.
    this.#context.addRows(Math.max(1, arrayAt(alert, 'instances').length), pointer);
    takeRow(readAlert(alert, site, pointer, this.#context), pointer, this.findings, this.#context);
  }
}

/** Reads a list, or the single element that converters from XML leave. A value that is no object becomes null. */
function elements(value: unknown): (JsonRecord | null)[] {
  return Array.isArray(value) ? value.map(asRecord) : [asRecord(value)];
}
