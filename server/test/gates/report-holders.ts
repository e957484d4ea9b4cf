/** Reads from the types which functions of the server hold a report, and by which names. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FunctionDeclaration, Identifier, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isBindingElement,
  isFunctionDeclaration,
  isIdentifier,
  isParameterDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const source = `${root}server/src/`;

// The types that a report has on its way are named so.
const reportTypes = /^\w*Report(?:Document)?$/;
const scanTypes = /^(?:\w*Scan|ScanRow)$/;
// The body of a request is a stream.
const streams = /^(?:Readable|PassThrough)$/;

/** Types that are named so, with the reason why they are not the report. */
const otherTypes: Record<string, string> = {
  AcceptedReport: 'the answer of the intake, with the id of the scan',
  FirstScan: 'the head of the queue',
  SameReport: 'an earlier scan that showed the same',
};

export interface Holder {
  /** The file in `src/`, and the function. */
  name: string;
  isExported: boolean;
  /** The position of its first statement, as the inspector counts. */
  position: { lineNumber: number; columnNumber: number };
  /** The names of the report in it: of variables, parameters and types. */
  names: Set<string>;
}

/** Lists the functions that have a name for a report or a scan, or give a report. */
export function listReportHolders(): Holder[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects();
    if (project === undefined) throw new Error('the types were not read');
    const { checker, program, rootFiles } = project;
    return rootFiles
      .filter((file) => file.startsWith(source) && !file.endsWith('.test.ts'))
      .filter((file) => /report|scan/i.test(readFileSync(file, 'utf8')))
      .flatMap((file) => {
        const tree = program.getSourceFile(file);
        return tree === undefined ? [] : holdersIn(tree, file.slice(source.length), checker);
      });
  } finally {
    api.close();
  }
}

function holdersIn(tree: SourceFile, file: string, checker: Checker): Holder[] {
  return nodesIn(tree)
    .filter(isFunctionDeclaration)
    .flatMap((declared) => {
      const [first] = declared.body?.statements ?? [];
      if (declared.name === undefined || first === undefined) return [];
      const names = namesIn(declared, checker);
      const given = (declared.type?.getText() ?? '')
        .split(/[^\w]+/)
        .filter((type) => isForm(type, reportTypes));
      for (const type of given) names.add(type);
      if (names.size === 0) return [];
      const { line, character } = tree.getLineAndCharacterOfPosition(first.getStart());
      return {
        name: `${file} ${declared.name.text}`,
        isExported: declared.getText().startsWith('export'),
        position: { lineNumber: line, columnNumber: character },
        names,
      };
    });
}

function namesIn(declared: FunctionDeclaration, checker: Checker): Set<string> {
  const names = new Set<string>();
  for (const name of nodesIn(declared).flatMap(declaredName)) {
    const type = checker.getTypeAtLocation(name);
    const types = type === undefined ? [] : checker.typeToString(type).split(' | ');
    for (const each of types) {
      const isNamed = isForm(each, reportTypes) || isForm(each, scanTypes);
      if (isNamed) names.add(each);
      if (isNamed || streams.test(each)) names.add(name.text);
    }
  }
  return names;
}

const isForm = (type: string, pattern: RegExp): boolean =>
  pattern.test(type) && !Object.hasOwn(otherTypes, type);

function declaredName(node: Node): Identifier[] {
  const isDeclaration = isParameterDeclaration(node) || isVariableDeclaration(node) || isBindingElement(node);
  return isDeclaration && node.name !== undefined && isIdentifier(node.name) ? [node.name] : [];
}

function nodesIn(node: Node): Node[] {
  const nodes: Node[] = [];
  const visit = (child: Node): void => {
    nodes.push(child);
    child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return nodes;
}
