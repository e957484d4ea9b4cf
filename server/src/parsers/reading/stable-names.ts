/**
 * The names of scripts of a site and of cloud resources that change with each deployment, without the part that
 * changes. If a run has two names that differ in this part alone, both stay, because the two may have problems of their
 * own.
 */
import type { Gap, ReportFinding } from '../report.ts';

/** Returns the findings of a run under names that stay. */
export function withStableNames(findings: ReportFinding[]): ReportFinding[] {
  const stable = findings.map(stableOf);
  if (stable.every((name) => name === null)) return findings;
  const written = new Map<string | null, Set<string | null>>();
  for (const [index, { path }] of findings.entries()) {
    // The two may also be a name with such a part and one without.
    const name = stable[index] ?? path;
    written.set(name, (written.get(name) ?? new Set()).add(path));
  }
  return findings.map((finding, index) => {
    const path = stable[index] ?? null;
    if (path === null || written.get(path)?.size !== 1) return finding;
    return { ...finding, path, code: resourceWithoutRevision(finding.code) ?? finding.code };
  });
}

/** A gap at a resource is one under its stable name too. */
export function withStableGaps(gaps: Gap[]): Gap[] {
  return gaps.flatMap((gap) => {
    const path = resourceWithoutRevision(gap.path ?? null);
    return path === null ? [gap] : [gap, { ...gap, path }];
  });
}

function stableOf({ type, path }: ReportFinding): string | null {
  return type === 'dast' ? scriptWithoutHash(path) : resourceWithoutRevision(path);
}

/** Returns null for the name of anything but a revision of a task definition, or a version of a function. */
function resourceWithoutRevision(name: string | null): string | null {
  if (name === null || !name.startsWith('arn:')) return null;
  const task = /^(arn:[^:]*:ecs:[^:]*:[^:]*:task-definition\/[^:]+):[0-9]+$/.exec(name)?.[1];
  const lambda = /^(arn:[^:]*:lambda:[^:]*:[^:]*:function:[^:]+):(?:\$LATEST|[0-9]+)$/.exec(name)?.[1];
  return task ?? lambda ?? null;
}

// `main.3f2a1b9c.js`, `main.3f2a1b9c.chunk.js.map`, `vendor-B9yLz2Zp.css`. These names stand for one file of a build.
// Only the hash tells apart the many files that bundlers name `index` or `chunk`.
const script =
  /^((?:main|app|runtime|polyfills|vendors?|styles|bundle|scripts|common)[.-])([0-9A-Za-z_]{8,64})((?:\.(?:chunk|bundle|min))?\.(?:[cm]?js|css|wasm)(?:\.map)?)$/;

/** Returns null for an address of anything but a script or style sheet with the hash of a bundler in its name. */
function scriptWithoutHash(path: string | null): string | null {
  if (path === null || !/^https?:/.test(path)) return null;
  const start = path.lastIndexOf('/') + 1;
  const [, name = '', hash = '', ending = ''] = script.exec(path.slice(start)) ?? [];
  return isHash(hash) ? `${path.slice(0, start)}${name}{{hash}}${ending}` : null;
}

/**
 * True for hexadecimal digits that are no number with zeros before it, for eight capital letters and digits that are no
 * word with a number (`VERSION2`), and for eight signs of base64url that change their kind more often than a word does:
 * `IPv4Addr` has five runs of one kind.
 */
function isHash(text: string): boolean {
  if (!/[0-9]/.test(text) || !/[A-Za-z]/.test(text)) return false;
  if (/^(?!000)[0-9a-f]+$/.test(text)) return true;
  if (/^(?![A-Z]+[0-9]+$|[0-9]+[A-Z]+$)[0-9A-Z]{8}$/.test(text)) return true;
  return text.length === 8 && Array.from(text.matchAll(/[a-z]+|[A-Z]+|[0-9]+|_+/g)).length >= 6;
}
