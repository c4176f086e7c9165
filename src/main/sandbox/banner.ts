import { PRICE_USD } from '../../catalog/price.ts'
import { EXAMPLE_IBAN, type FirstSale } from './first-sale.ts'
import type { SandboxService } from './start-sandbox.ts'

const DEFAULT_URL = 'http://127.0.0.1:4021'

export function sandboxBanner({
  url,
  sandbox,
  adminUrl,
  mcpCommand,
}: Pick<SandboxService, 'url' | 'sandbox' | 'adminUrl'> & {
  /** What an assistant without a wallet starts. */
  readonly mcpCommand: string
}): string {
  const buy = `npx --no -- format-checker buy iban "${EXAMPLE_IBAN}"${url === DEFAULT_URL ? '' : ` --url ${url}`}`
  return `
  SANDBOX  no real money: everything below lives on this machine only

  page         ${url}/  (open it in a browser)
  service      ${url}
  MCP          ${url}/mcp
  assistant    ${mcpCommand}
  chain        eip155:8453, anvil at ${sandbox.rpcUrl}
  facilitator  ${sandbox.facilitatorUrl}
  buyer        ${sandbox.buyer.address}, funded; key at ${url}/sandbox.json
  operator     ${adminUrl ?? 'no view: ADMIN_PORT is off'}

  Try next, in another terminal:

    ${buy}
    ${buy} --surface a2a
    npx --no -- format-checker try pl-nip 526-025-02-74
    curl -i -X POST ${url}/api/validate/iban
    curl ${url}/api/types

  Ctrl-C stops everything.
`
}

export function firstSaleLine(sale: FirstSale | null): string {
  if (sale === null) return 'first paid check FAILED: see the log above'
  const { verdict, transaction } = sale
  const judged = verdict.valid ? `valid ${verdict.normalized}` : `invalid (${verdict.details.code})`
  return `first paid check: ${verdict.type} ${judged}, paid ${PRICE_USD} USDC in transaction ${transaction}`
}
