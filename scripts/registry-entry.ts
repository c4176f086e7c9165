/**
 * `server.json`, the entry of the MCP registry (schema of 2025-12-11). The operator hands it to the registry; it is not
 * served.
 */
import { PRICE_USD } from '../src/catalog/price.ts'
import { SOURCE } from '../src/files/source.ts'
import {
  registryName,
  repositoryOf,
  SHORT_DESCRIPTION,
} from '../src/surfaces/documents/catalogs/server-card.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** The entry under a public address; with the published command if PACKAGE names one. */
export function registryEntry({
  baseUrl,
  version,
  published,
}: {
  readonly baseUrl: string
  readonly version: string
  /** PACKAGE, such as "@owner/format-checker@1.2.0". */
  readonly published?: string | undefined
}) {
  return {
    $schema: SCHEMA,
    name: registryName(baseUrl),
    title: 'Format Checker',
    description: SHORT_DESCRIPTION,
    version,
    websiteUrl: `${baseUrl}/`,
    ...(SOURCE === null ? {} : { repository: repositoryOf(SOURCE) }),
    icons: [{ src: `${baseUrl}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    ...(published === undefined ? {} : { packages: [npmPackage(published, baseUrl)] }),
    remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp` }],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': {
        pricing: { protocol: 'x402', x402Version: 2, perCallUSD: PRICE_USD },
      },
    },
  }
}

/** The entry as the formatter leaves it, so that the file of an operator passes `npm run check`. */
export const registryText = (options: Parameters<typeof registryEntry>[0]): string =>
  `${JSON.stringify(registryEntry(options), null, 2).replace(/\[\s+("[^"]*")\s+\]/g, '[$1]')}\n`

function npmPackage(published: string, baseUrl: string) {
  const at = published.lastIndexOf('@')
  return {
    registryType: 'npm',
    identifier: published.slice(0, at),
    version: published.slice(at + 1),
    runtimeHint: 'npx',
    transport: { type: 'stdio' },
    packageArguments: [
      { type: 'positional', value: 'mcp' },
      { type: 'named', name: '--url', value: baseUrl },
    ],
    environmentVariables: [
      {
        name: 'BUYER_PRIVATE_KEY_FILE',
        description: 'File with the key of a wallet with little money; at most a dollar a day is spent',
        format: 'filepath',
      },
    ],
  }
}
