/**
 * The bazaar extension tells catalogues how to call. The package's builder adds `$schema` and members that no catalogue
 * reads, and the declaration travels in a header of every 402 (docs/evidence/response-heads.md), so it holds only what
 * a validator asks for (`test/payments/extensions/quotes.test.ts`).
 */
import type { Skill, SkillRegistry } from '../../catalog/skill.ts'
import type { ListedSurface, Purchase } from '../ports/sale.ts'

export function discoveryOf(
  { type, shape }: Purchase,
  surface: ListedSurface,
  registry: SkillRegistry,
): Record<string, unknown> {
  const skill = registry.get(type)
  if (shape === 'list') return surface === 'rest' ? listDiscovery(skill, registry) : {}
  if (skill === undefined) throw new Error('a single call of no skill of the registry')
  return singleDiscovery(skill, surface)
}

function singleDiscovery(skill: Skill, surface: ListedSurface): Record<string, unknown> {
  const [example] = skill.examples
  switch (surface) {
    case 'rest':
      return { bazaar: httpPost(example.input, INPUT) }
    case 'a2a':
      return { bazaar: httpPost(messageOf(skill, example.input), MESSAGE) }
    case 'mcp':
      return { bazaar: mcpTool(skill, example.input) }
  }
}

const INPUT = {
  properties: { value: { type: 'string', maxLength: 512 } },
  required: ['value'],
  additionalProperties: false,
}

/** The example and the protocol say the rest. */
const MESSAGE = {}

/** Validators ask for an output schema; the real one is in the OpenAPI document. */
const OUTPUT = { properties: { example: {} } }

/** The first message of a task (A2A 1.0, `SendMessage`). */
function messageOf({ id }: Skill, input: object) {
  const message = { messageId: '1', role: 'ROLE_USER', parts: [{ data: { skill: id, input } }] }
  return { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
}

/** `type` as the specification of bazaar asks; `method` as the package's middleware declares it. */
function httpPost(body: object, bodySchema: object) {
  return {
    info: { input: { type: 'http', method: 'POST', bodyType: 'json', body } },
    schema: {
      properties: {
        input: {
          properties: {
            type: { const: 'http' },
            method: { enum: ['POST'] },
            body: bodySchema,
          },
          required: ['body'],
        },
        output: OUTPUT,
      },
      required: ['input'],
    },
  }
}

function mcpTool({ operationId }: Skill, example: object) {
  return {
    info: {
      input: {
        type: 'mcp',
        toolName: operationId,
        transport: 'streamable-http',
        inputSchema: { type: 'object', ...INPUT },
        example,
      },
    },
    schema: {
      properties: {
        input: {
          properties: { type: { const: 'mcp' }, toolName: { const: operationId } },
          required: ['type', 'toolName', 'inputSchema'],
        },
        output: OUTPUT,
      },
      required: ['input'],
    },
  }
}

/** How to call over REST, for version 1 catalogues, which read it in `outputSchema`. */
export const DISCOVERY_V1 = {
  input: {
    type: 'http',
    method: 'POST',
    discoverable: true,
    bodyType: 'json',
    bodyFields: { value: { type: 'string', maxLength: 512, required: true } },
  },
  output: { type: 'object', properties: { valid: { type: 'boolean' } } },
}

export const LIST_DISCOVERY_V1 = {
  input: {
    type: 'http',
    method: 'POST',
    discoverable: true,
    bodyType: 'json',
    bodyFields: { values: { type: 'array' }, items: { type: 'array' } },
  },
  output: { type: 'object', properties: { results: { type: 'array' } } },
}

/** Without a skill, the values are of several types. */
function listDiscovery(skill: Skill | undefined, registry: SkillRegistry): Record<string, unknown> {
  if (skill !== undefined) {
    const [{ input }] = skill.examples
    return { bazaar: httpPost({ values: [input.value] }, objectWithArray('values')) }
  }
  const items = registry.all
    .slice(0, 2)
    .map(({ id, examples: [example] }) => ({ type: id, value: example.input.value }))
  return { bazaar: httpPost({ items }, objectWithArray('items')) }
}

const objectWithArray = (name: string) => ({
  properties: { [name]: { type: 'array' } },
  required: [name],
})
