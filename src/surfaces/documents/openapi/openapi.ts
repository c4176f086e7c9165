/** `/openapi.json`: the REST interface (OpenAPI 3.1). */
import { restPath } from '../../../payments/terms/rest-offer.ts'
import { PATHS } from '../../call/paths.ts'
import { type BuildDocument, type DocumentContext, jsonDocument, titleOf } from '../document-context.ts'
import { channelPaths } from './channel-operations.ts'
import { sharedHeaders } from './headers.ts'
import { checkOperation, listingOperation, listOperation, sharedParameters } from './operations.ts'
import { paymentStateOperation } from './payment-state.ts'
import { sharedResponses } from './responses.ts'
import { sharedSchemas } from './schemas.ts'

export const openApi: BuildDocument = (context) => {
  const { all } = context.skills
  return jsonDocument(PATHS.openapi, {
    openapi: '3.1.0',
    info: info(context),
    servers: [{ url: context.baseUrl }],
    externalDocs: {
      url: `${context.baseUrl}${PATHS.llmsFull}`,
      description: 'Every check with examples and errors',
    },
    tags: [
      { name: 'checks', description: 'Paid checks, one call and one price each.' },
      { name: 'listing', description: 'What there is and what it costs; free.' },
    ],
    paths: {
      [PATHS.types]: { get: listingOperation(context) },
      ...Object.fromEntries(
        all.map((skill) => [restPath(context, skill), { post: checkOperation(context, skill) }]),
      ),
      ...Object.fromEntries(
        all.map((skill) => [`${restPath(context, skill)}/batch`, { post: listOperation(skill) }]),
      ),
      [PATHS.mixedList]: { post: listOperation() },
      [PATHS.payment]: { get: paymentStateOperation() },
      ...(context.channel === undefined ? {} : channelPaths(context)),
    },
    components: {
      schemas: sharedSchemas(context),
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: sharedResponses(context),
    },
    'x-discovery': { ownershipProofs: [] },
    'x-agentcash-guidance': { llmsTxtUrl: `${context.baseUrl}${PATHS.llms}` },
    'x-agentcash-provenance': { ownershipProofs: [] },
  })
}

function info(context: DocumentContext) {
  const { baseUrl, listing, version, operator } = context
  const { operatorName, contactEmail, supportUrl, termsUrl } = operator
  return {
    title: titleOf(context),
    version,
    summary: listing.summary,
    description: `${listing.usage}\n\n${listing.privacy}`,
    termsOfService: termsUrl ?? `${baseUrl}${PATHS.docs}/terms`,
    contact: {
      name: operatorName ?? listing.service,
      url: supportUrl ?? `${baseUrl}${PATHS.docs}/terms`,
      ...(contactEmail === null ? {} : { email: contactEmail }),
    },
    license: { name: 'MIT', identifier: 'MIT' },
    'x-guidance': guidance(context),
  }
}

/** For models; at most 4,000 characters. */
function guidance({ listing, baseUrl, skills }: DocumentContext): string {
  return [
    listing.summary,
    listing.usage,
    `Choose the path by what the string is: ${skills.all.map(({ id, title }) => `${id} (${title})`).join(', ')}.`,
    'A result has type, valid, normalized (masked, null when invalid), reason and details; branch on valid and ' +
      'details.code, not on reason. A verdict speaks of form alone: details.notChecked says what was not looked at.',
    'Never sign a second payment for a request in doubt: after a 503 repeat it unchanged. The same payment sent ' +
      'again for the same request within an hour is answered again and not charged.',
    `The same checks over A2A: ${baseUrl}${PATHS.agentCard}; over MCP: ${baseUrl}${PATHS.mcp}.`,
  ].join('\n\n')
}
