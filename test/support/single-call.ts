import type { Item, ValueCall } from '../../src/payments/ports/sale.ts'

export function singleCall(call: Item & Omit<ValueCall, 'kind' | 'shape' | 'type' | 'items'>): ValueCall {
  const { skill, value, ...rest } = call
  return { kind: 'value', shape: 'single', type: skill.id, items: [{ skill, value }], ...rest }
}
