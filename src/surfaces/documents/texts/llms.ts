/**
 * `/llms.txt` (llmstxt.org): a title, a summary as a quotation, text without headings, then sections that are lists of
 * links (test/surfaces/documents/llms.test.ts).
 */
import { restUrl } from '../../../payments/terms/rest-offer.ts'
import { PATHS } from '../../call/paths.ts'
import { type BuildDocument, type DocumentContext, markdownDocument, titleOf } from '../document-context.ts'
import { commandLine, shellLine } from '../packages.ts'

export const llms: BuildDocument = (context) => markdownDocument(PATHS.llms, llmsLines(context))

export function llmsLines(context: DocumentContext): readonly string[] {
  const { baseUrl, listing, skills } = context
  return [
    `# ${titleOf(context)}`,
    '',
    `> ${listing.summary} ${listing.price} per call in USDC on ${listing.networkName}, paid with x402; no account, no API key.`,
    '',
    listing.usage,
    '',
    listing.privacy,
    '',
    'Price and limits:',
    '',
    `- Each call costs ${listing.price}: USDC ${listing.asset} on ${listing.networkName} (${listing.network}), payable to ${listing.payTo}.`,
    '- The value has at most 512 characters (Unicode code points) and goes in the JSON body; a query string is refused.',
    '- An invalid identifier is a paid answer (`valid: false`). Bad requests cost nothing; of any other error `charged` says what is known.',
    `- Up to 1,000 values under one payment, ${listing.price} each: POST ${baseUrl}${PATHS.mixedList} {"items": [{"type", "value"}, ...]}, or /api/validate/{type}/batch {"values": [...]}; MCP tool validate_batch; over A2A see the agent card.`,
    ...(context.channel === undefined
      ? []
      : [
          `- Many calls: a payment channel (scheme batch-settlement) takes one deposit and then a signature a call: POST ${baseUrl}${PATHS.overChannel}{type} or batch, with the bodies of the paths above; refunds at GET ${baseUrl}${PATHS.channel}.`,
        ]),
    '- After a 503 `payment_in_doubt` repeat the request unchanged; do not sign a new payment.',
    '- Format and checksum only. No register, bank, mail server or DNS is asked.',
    '',
    ...oneCall(context),
    '## Checks',
    '',
    ...skills.all.map(
      (skill) =>
        `- [${skill.title}](${baseUrl}${PATHS.agentSkills}/${skill.id}/SKILL.md): ${skill.summary} POST ${restUrl(context, skill)}, MCP tool ${skill.operationId}, A2A skill ${skill.id}.`,
    ),
    '',
    '## Descriptions',
    '',
    `- [OpenAPI 3.1](${baseUrl}${PATHS.openapi}): every request, answer and error of the REST interface`,
    `- [Types and prices](${baseUrl}${PATHS.types}): free JSON listing`,
    `- [Payment terms](${baseUrl}${PATHS.x402}): x402 terms of every paid URL`,
    `- [A2A agent card](${baseUrl}${PATHS.agentCard}): the agent at ${baseUrl}${PATHS.a2a}`,
    `- [MCP server card](${baseUrl}${PATHS.serverCardWellKnown}): the tools at ${baseUrl}${PATHS.mcp}`,
    `- [Agent Skills](${baseUrl}${PATHS.agentSkills}/index.json): one page per check with its rules and codes`,
    `- [Paying by hand](${baseUrl}${PATHS.docs}/paying-by-hand.md): the terms, the signature and the header without a client library`,
    ...(commandLine(context.packages) === undefined
      ? []
      : [
          `- [MCP hosts](${baseUrl}${PATHS.docs}/clients.md#mcp-hosts): an MCP server that pays, for hosts without a wallet: \`${shellLine(context.packages.command)} mcp --url ${baseUrl}\``,
        ]),
    `- [Clients](${baseUrl}${PATHS.docs}/clients.md): programs that pay over REST, A2A and MCP`,
    `- [The A2A exchange](${baseUrl}${PATHS.docs}/a2a.md): every message of an order and its payment`,
    `- [Errors](${baseUrl}${PATHS.errors}): every code and what to do about it`,
    '',
    '## Optional',
    '',
    `- [Everything on one page](${baseUrl}${PATHS.llmsFull}): all checks, worked examples and errors`,
  ]
}

function oneCall(context: DocumentContext): readonly string[] {
  const [skill] = context.skills.all
  const [example] = skill.examples
  return [
    'One call:',
    '',
    '```sh',
    `curl -i -X POST ${restUrl(context, skill)} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(example.input)}'`,
    '```',
    '',
    'Answer 402: the header `PAYMENT-REQUIRED` holds the terms. Sign them with any x402 version 2 client (`@x402/fetch` does',
    'all of this) and send the same request again with `PAYMENT-SIGNATURE`. Answer 200:',
    '',
    '```json',
    JSON.stringify(example.output),
    '```',
    '',
    `POST ${context.baseUrl}${PATHS.a2a} takes the payment in the same header, or in a second message from a client that sends`,
    '`A2A-Extensions` with an x402 extension of the card. A tool call to',
    `${context.baseUrl}${PATHS.mcp} is answered with the terms in \`structuredContent\`; repeat it with the payment in`,
    '`_meta["x402/payment"]`.',
    '',
    `If you cannot send requests: [worked examples of every check](${context.baseUrl}${PATHS.llmsFull}) with the answers the service gives.`,
    '',
  ]
}
