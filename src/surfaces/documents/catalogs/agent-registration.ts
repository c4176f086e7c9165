/**
 * `/.well-known/agent-registration.json`: the ERC-8004 registration file that an identity on chain points to.
 *
 * `registrations` is empty, since the id is only known once the operator has registered; then a file of the same name
 * in WELL_KNOWN_DIR replaces this one (`format-checker register-8004`).
 */
import { type BuildDocument, jsonDocument, titleOf } from '../document-context.ts'

export const REGISTRATION_PATH = '/.well-known/agent-registration.json'

export const agentRegistration: BuildDocument = (context) => {
  const { baseUrl, listing, contactEmail, sandbox } = context
  const file = {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: titleOf(context),
    description: `${listing.summary} ${listing.price} per call in USDC on ${listing.networkName}, paid with x402.`,
    image: `${baseUrl}/icon.svg`,
    services: [
      { name: 'A2A', endpoint: `${baseUrl}/.well-known/agent-card.json`, version: '1.0' },
      { name: 'MCP', endpoint: `${baseUrl}/mcp`, version: context.mcpVersions[0] },
      { name: 'OpenAPI', endpoint: `${baseUrl}/openapi.json`, version: '3.1.0' },
      { name: 'DID', endpoint: context.receipts.did, version: 'v1' },
      { name: 'web', endpoint: `${baseUrl}/` },
      ...(contactEmail === null ? [] : [{ name: 'email', endpoint: contactEmail }]),
    ],
    x402Support: true,
    active: !sandbox,
    registrations: [],
    supportedTrust: [],
  }
  return jsonDocument(REGISTRATION_PATH, file)
}
