/** Writes OpenVEX 0.2.0. The product is the repository, and its packages are parts of it. */
import { distinct, type Statement, type VexDocument, withoutContradictions } from './vex-document.ts';

export function openVex(document: VexDocument): object {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': document.id,
    author: document.author,
    role: 'Document Creator',
    timestamp: document.at.toISOString(),
    version: document.version,
    tooling: 'Merlon',
    statements: distinct(
      withoutContradictions(document.statements, ({ product }) => product.id).map(statementItem),
    ),
  };
}

function statementItem(statement: Statement): object {
  const { advisory, aliases, title, status, justification, text, at, product, parts } = statement;
  return {
    vulnerability: {
      name: advisory,
      ...(title === '' ? {} : { description: title }),
      ...(aliases.length === 0 ? {} : { aliases }),
    },
    timestamp: at.toISOString(),
    products: [
      {
        '@id': product.id,
        subcomponents: parts.map((purl) => ({ '@id': purl, identifiers: { purl } })),
      },
    ],
    status,
    ...(justification === null ? {} : { justification }),
    ...(text === null ? {} : { [status === 'affected' ? 'action_statement' : 'impact_statement']: text }),
  };
}
