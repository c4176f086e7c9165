import type { Tool } from '@modelcontextprotocol/server'
import { LIST_RESULT_SCHEMA } from '../../catalog/list-result.ts'
import type { Skill } from '../../catalog/skill.ts'

/**
 * A result, or the terms to pay by: clients on version 1 of the SDK validate errors too, and would throw on a 402
 * (modelcontextprotocol/typescript-sdk#2748).
 */
export function outputSchema(skill: Skill): NonNullable<Tool['outputSchema']> {
  return {
    type: 'object',
    properties: {
      type: { const: skill.id },
      valid: { type: 'boolean' },
      normalized: { type: ['string', 'null'], description: 'Masked with U+2022; null when invalid.' },
      reason: { type: 'string' },
      details: { type: 'object', description: 'code ("ok" when valid), ruleset, layers and more.' },
      ...PAYMENT_REQUIRED.properties,
    },
    anyOf: [
      { required: ['type', 'valid', 'normalized', 'reason', 'details'] },
      { required: PAYMENT_REQUIRED.required },
    ],
  }
}

export function listOutputSchema(): NonNullable<Tool['outputSchema']> {
  return {
    type: 'object',
    properties: { ...LIST_RESULT_SCHEMA.properties, ...PAYMENT_REQUIRED.properties },
    anyOf: [{ required: LIST_RESULT_SCHEMA.required }, { required: PAYMENT_REQUIRED.required }],
  }
}

const PAYMENT_REQUIRED = {
  properties: {
    x402Version: { type: 'integer' },
    error: { type: 'string' },
    resource: { type: 'object' },
    accepts: { type: 'array', items: { type: 'object' } },
    extensions: { type: 'object' },
  },
  required: ['x402Version', 'accepts'],
}
