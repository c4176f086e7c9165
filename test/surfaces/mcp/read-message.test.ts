/** What of a message is handed on: a call's payment and arguments are taken out, since the SDK would copy them. */
import { expect, test } from 'vitest'
import { readMessage } from '../../../src/surfaces/mcp/read-message.ts'

const read = (message: object) => readMessage(Buffer.from(JSON.stringify(message)))
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
const PAYMENT = { payload: {} }

test.each<[string, object, object | undefined, object]>([
  [
    'with a payment',
    {
      ...{ name: 't', arguments: { value: 'x' }, more: 1 },
      _meta: { 'x402/payment': PAYMENT, progressToken: 7, other: 1 },
    },
    { name: 't', arguments: {}, more: 1, _meta: { progressToken: 7, other: 1 } },
    {
      tool: 't',
      input: { value: 'x' },
      payment: PAYMENT,
      meta: { 'x402/payment': PAYMENT, progressToken: 7, other: 1 },
    },
  ],
  [
    'whose payment is null',
    { name: 't', arguments: { value: 'x' }, _meta: { 'x402/payment': null } },
    { name: 't', arguments: {}, _meta: {} },
    { tool: 't', input: { value: 'x' }, meta: {} },
  ],
  [
    'without metadata',
    { name: 't', arguments: { value: 'x' } },
    { name: 't', arguments: {} },
    { tool: 't', input: { value: 'x' } },
  ],
  [
    'that asks for channels, without arguments',
    { name: 't', _meta: { 'format-checker/channels': true } },
    { name: 't', _meta: { 'format-checker/channels': true } },
    { tool: 't', input: {}, meta: { 'format-checker/channels': true } },
  ],
  [
    'with arguments and metadata of the wrong type',
    { name: 't', arguments: ['x'], _meta: 'x' },
    { name: 't', arguments: ['x'], _meta: 'x' },
    { tool: 't', input: ['x'] },
  ],
])('a call %s', (_what, params, left, call) => {
  expect(read({ ...CALL, params })).toEqual({
    ...{ kind: 'message', id: 1, message: { ...CALL, params: left } },
    call: { payment: undefined, ...call },
  })
})

test('a call without params, and another request, are handed on as they are', () => {
  const call = { tool: undefined, input: {}, payment: undefined }
  expect(read(CALL)).toEqual({ kind: 'message', id: 1, message: CALL, call })
  const other = { jsonrpc: '2.0', method: 'x', params: { arguments: { value: 'x' } } }
  expect(read(other)).toEqual({ kind: 'message', id: null, message: other })
})
