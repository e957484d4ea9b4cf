/**
 * Writes CSAF 2.0 in the profile VEX. Each package of a repository is a product by itself, as a part of the repository.
 */
import { createHash } from 'node:crypto';
import { isLicenseId } from '../../domain/license-id.ts';
import {
  type Remedy,
  type Statement,
  type StatementStatus,
  type VexDocument,
  withoutContradictions,
} from './vex-document.ts';

const statusFields: Record<StatementStatus, string> = {
  not_affected: 'known_not_affected',
  affected: 'known_affected',
  under_investigation: 'under_investigation',
};

const worstFirst: readonly StatementStatus[] = ['affected', 'under_investigation', 'not_affected'];

export function csafVex(document: VexDocument): object {
  const products = new Products();
  const statements = withoutContradictions(document.statements, ({ product }) => product.id);
  const byAdvisory = Map.groupBy(statements, ({ advisory }) => advisory);
  const vulnerabilities = [...byAdvisory].map(([advisory, statements]) =>
    vulnerabilityItem(advisory, statements, products),
  );
  const at = document.at.toISOString();
  return {
    document: {
      // The profile VEX requires products and vulnerabilities.
      category: vulnerabilities.length === 0 ? 'csaf_base' : 'csaf_vex',
      csaf_version: '2.0',
      lang: 'en',
      publisher: { category: 'vendor', name: document.author, namespace: document.namespace },
      title: document.title,
      tracking: {
        // No history of documents is kept, so each document is the first of its own id.
        id: `${document.id}-${document.version}`,
        status: 'final',
        version: '1',
        initial_release_date: at,
        current_release_date: at,
        revision_history: [{ date: at, number: '1', summary: 'The decisions at this time.' }],
        generator: { engine: { name: 'Merlon' } },
      },
    },
    ...(vulnerabilities.length === 0 ? {} : { product_tree: products.tree() }),
    ...(vulnerabilities.length === 0 ? {} : { vulnerabilities }),
  };
}

function vulnerabilityItem(advisory: string, statements: Statement[], products: Products): object {
  const status = new Map<string, string[]>();
  const flags = new Map<string, string[]>();
  const threats = new Map<string, string[]>();
  const remediations = new Map<Remedy, Map<string, string[]>>();
  const placed = new Set<string>();
  const add = (to: Map<string, string[]>, key: string, id: string): void => {
    const ids = to.get(key);
    if (ids === undefined) to.set(key, [id]);
    else ids.push(id);
  };
  const rank = ({ status }: Statement): number => worstFirst.indexOf(status);
  for (const statement of statements.toSorted((a, b) => rank(a) - rank(b))) {
    for (const purl of statement.parts) {
      const id = products.idOf(statement.product, purl);
      // A package of a repository has one status for an advisory, which is the worst at any of its locations.
      if (placed.has(id)) continue;
      placed.add(id);
      add(status, statusFields[statement.status], id);
      const { justification, text, remedy } = statement;
      if (remedy !== null && text !== null) {
        const texts = remediations.get(remedy) ?? new Map<string, string[]>();
        remediations.set(remedy, texts);
        add(texts, text, id);
      }
      if (statement.status === 'not_affected') {
        if (justification !== null) add(flags, justification, id);
        if (text !== null) add(threats, text, id);
      }
    }
  }
  const [first] = statements;
  const others = [...new Set(statements.flatMap(({ aliases }) => aliases))];
  const isCve = /^CVE-[0-9]{4}-[0-9]{4,}$/.test(advisory);
  const ids = (isCve ? others : [advisory, ...others]).map((text) => ({ system_name: systemOf(text), text }));
  const list = (texts: Map<string, string[]>, item: (text: string) => object) =>
    [...texts].map(([text, ids]) => ({ ...item(text), product_ids: ids }));
  const lists = {
    flags: list(flags, (label) => ({ label })),
    threats: list(threats, (details) => ({ category: 'impact', details })),
    remediations: [...remediations].flatMap(([category, texts]) =>
      list(texts, (details) => ({ category, details })),
    ),
  };
  return {
    ...(isCve ? { cve: advisory } : {}),
    ...(ids.length === 0 ? {} : { ids }),
    notes: [{ category: 'description', text: first?.title || advisory }],
    product_status: Object.fromEntries(status),
    ...Object.fromEntries(Object.entries(lists).filter(([, rows]) => rows.length > 0)),
  };
}

function systemOf(id: string): string {
  if (isLicenseId(id)) return 'License';
  if (id.startsWith('GHSA-')) return 'GitHub Security Advisories';
  return id.startsWith('CVE-') ? 'CVE' : 'OSV';
}

/** The products that statements name, each with a short id. */
class Products {
  readonly #repositories = new Map<string, { id: string; name: string }>();
  readonly #packages = new Map<string, string>();
  readonly #parts = new Map<string, { id: string; component: string; repository: string; name: string }>();

  idOf(product: Statement['product'], purl: string): string {
    const repository = this.#repositories.get(product.id) ?? {
      id: idOf('repository', product.id),
      name: product.name,
    };
    this.#repositories.set(product.id, repository);
    const component = this.#packages.get(purl) ?? idOf('package', purl);
    this.#packages.set(purl, component);
    const id = `${component}:${repository.id}`;
    this.#parts.set(id, { id, component, repository: repository.id, name: `${purl} in ${product.name}` });
    return id;
  }

  tree(): object {
    return {
      full_product_names: [
        ...[...this.#repositories.values()].map(({ id, name }) => ({ product_id: id, name })),
        ...[...this.#packages].map(([purl, id]) => ({
          product_id: id,
          name: purl,
          product_identification_helper: { purl },
        })),
      ],
      relationships: [...this.#parts.values()].map(({ id, component, repository, name }) => ({
        category: 'default_component_of',
        product_reference: component,
        relates_to_product_reference: repository,
        full_product_name: { product_id: id, name },
      })),
    };
  }
}

function idOf(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('hex').slice(0, 16);
}
