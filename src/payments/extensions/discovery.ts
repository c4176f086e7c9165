/** The bazaar extension: how to call what is sold, for catalogues that list it after a settlement. */
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar'
import type { Skill } from '../../skills/skill.ts'
import type { SurfaceName } from '../sale.ts'

type Declaration = ReturnType<typeof declareDiscoveryExtension>[string]

/** Declares one skill on one surface; small, because it travels in a header. */
export function discoveryOf(skill: Skill, surface: SurfaceName): Record<string, unknown> {
  return { bazaar: withOutput(inputOf(skill, surface)) }
}

function inputOf(skill: Skill, surface: SurfaceName): Declaration {
  const [example] = skill.examples
  if (example === undefined) throw new Error('a skill without examples')
  switch (surface) {
    case 'rest':
      return post(example.input, INPUT)
    case 'a2a':
      return post(messageOf(skill, example.input), MESSAGE)
    case 'mcp':
      return declared({
        toolName: skill.operationId,
        transport: 'streamable-http',
        inputSchema: INPUT,
        example: { ...example.input },
      })
  }
}

/** The input of every skill as it is enforced, without the words in which they differ. */
const INPUT = {
  type: 'object',
  properties: { value: { type: 'string', maxLength: 512 } },
  required: ['value'],
  additionalProperties: false,
}

const MESSAGE = { type: 'object', required: ['jsonrpc', 'method', 'params'] }

/** The first message of a task (A2A 1.0, `SendMessage`). */
function messageOf({ id }: Skill, input: object) {
  const message = { messageId: '1', role: 'ROLE_USER', parts: [{ data: { skill: id, input } }] }
  return { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
}

/** A declaration for POST; the package itself would take the method from the request it answers. */
function post(input: object, inputSchema: Record<string, unknown>): Declaration {
  const declaration = declared({ bodyType: 'json', input: { ...input }, inputSchema })
  const request = { method: 'POST', adapter: {} }
  return bazaarResourceServerExtension.enrichDeclaration?.(declaration, request) as Declaration
}

function declared(config: Parameters<typeof declareDiscoveryExtension>[0]): Declaration {
  const { bazaar } = declareDiscoveryExtension(config)
  if (bazaar === undefined) throw new Error('the declaration has moved')
  return bazaar
}

/** A result; the same five members whatever was checked. */
const RESULT = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    valid: { type: 'boolean' },
    normalized: { type: ['string', 'null'] },
    reason: { type: 'string' },
    details: { type: 'object' },
  },
}

/**
 * Adds the schema of the answer. The package adds it only together with an example, for which there is no room in a
 * header; examples are in the OpenAPI document.
 */
function withOutput({ info, schema }: Declaration) {
  const output = { type: 'object', properties: { example: RESULT } }
  return {
    info: { ...info, output: { type: 'json' } },
    schema: { ...schema, properties: { ...schema.properties, output } },
  }
}
