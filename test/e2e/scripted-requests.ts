import { TOKEN } from '../../src/sandbox/addresses.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { encodeHeader } from '../support/payment-header.ts'
import {
  bent,
  flipBit,
  inDomain,
  type Loose,
  now,
  OTHER,
  post,
  put,
  resigned,
  type Script,
  sendHeader,
  sendPayload,
  sign,
  signed,
  versionOne,
  withHighS,
  without,
} from './bent-payments.ts'

/** What is sent to both services, by name. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  'no payment': async (side) => [await post(side, {})],
  'no payment, each of two routes': async (side) => [
    await post(side, {}, '/api/validate/pl-nip'),
    await post(side, {}, '/api/validate/email'),
  ],
  'an empty header': sendHeader(() => ''),
  'a good payment': sendPayload((side) => sign(side)),
  'a good payment for an invalid identifier': async (side) => [
    await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)) }, undefined, 'no iban at all'),
  ],
  'a good payment by the reference client': async (side) => {
    const { wrapFetchWithPayment, x402Client } = await import('@x402/fetch')
    const { ExactEvmScheme } = await import('@x402/evm/exact/client')
    const pay = wrapFetchWithPayment(
      fetch,
      new x402Client().register('eip155:*', new ExactEvmScheme(side.buyer)),
    )
    const body = JSON.stringify({ value: 'DE89370400440532013000' })
    const headers = { 'Content-Type': 'application/json' }
    return [await pay(`${side.url}/api/validate/iban`, { method: 'POST', headers, body })]
  },
  'a good payment beside a version 1 header': async (side) => [
    await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)), 'X-PAYMENT': 'YQ==' }),
  ],

  // The text of the header.
  'a header of garbage': sendHeader(() => '%%%not base64%%%'),
  'a header of base64 that is no JSON': sendHeader(() => Buffer.from('not json').toString('base64')),
  'a header of raw JSON': sendHeader(async (side) => JSON.stringify(await sign(side))),
  'a header of 12,000 letters': async (side) => [
    await post(side, { 'PAYMENT-SIGNATURE': 'A'.repeat(12_000) }),
  ],
  'base64 without its padding': sendHeader(async (side) => {
    const payload = await sign(side)
    // Spaces at the end of JSON text mean nothing; two of these three lengths need padding.
    const texts = ['', ' ', '  '].map((end) => Buffer.from(JSON.stringify(payload) + end).toString('base64'))
    return (texts.find((text) => text.endsWith('=')) as string).replaceAll('=', '')
  }),
  'url-safe base64': sendHeader(async (side) => {
    const payload = { ...(await sign(side)), note: '???>>>~~~' }
    return Buffer.from(JSON.stringify(payload)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  }),
  'the header twice': async (side) => {
    const header = encodeHeader(await sign(side))
    return [
      await post(side, [
        ['PAYMENT-SIGNATURE', header],
        ['PAYMENT-SIGNATURE', header],
      ]),
    ]
  },

  // The JSON in it.
  'JSON null': sendPayload(() => null),
  'a JSON number': sendPayload(() => 5),
  'a JSON string': sendPayload(() => 'x'),
  'a JSON array': sendPayload(() => []),
  'an empty object': sendPayload(() => ({})),
  'an array in an array, 1,000 deep': sendHeader(() =>
    Buffer.from('['.repeat(1000) + ']'.repeat(1000)).toString('base64'),
  ),
  'version 3': put('payment', { x402Version: 3 }),
  'version "2"': put('payment', { x402Version: '2' }),
  'a version 1 payload': sendPayload(async (side) => versionOne(await sign(side))),
  'a version 1 payload in the version 1 header': async (side) => [
    await post(side, { 'X-PAYMENT': encodeHeader(versionOne(await sign(side))) }),
  ],
  'a version 2 payload in the version 1 header': async (side) => [
    await post(side, { 'X-PAYMENT': encodeHeader(await sign(side)) }),
  ],
  'no accepted terms': without('payment', 'accepted'),
  'no payload': without('payment', 'payload'),
  'an empty payload': put('payment', { payload: {} }),
  'no authorization': without('payload', 'authorization'),
  'an authorization that is a string': bent(
    ({ payload }) => void Object.assign(payload, { authorization: 'x' }),
  ),
  'no nonce': without('authorization', 'nonce'),
  'a short nonce': put('authorization', { nonce: '0x12' }),
  'no signature': without('payload', 'signature'),
  'a signature that is a number': put('payload', { signature: 5 }),
  'an empty signature': put('payload', { signature: '0x' }),
  'a Permit2 payload': bent((payload, side) => {
    const permit = { from: side.buyer.address, permitted: { token: TOKEN, amount: '1000' }, nonce: '1' }
    Object.assign(payload, {
      payload: { signature: payload.payload.signature, permit2Authorization: permit },
    })
  }),

  // Other terms.
  'accepted: another amount': put('accepted', { amount: '999' }),
  'accepted: another payee': put('accepted', { payTo: OTHER }),
  'accepted: another asset': put('accepted', { asset: OTHER }),
  'accepted: another network': put('accepted', { network: 'eip155:84532' }),
  'accepted: another scheme': put('accepted', { scheme: 'upto' }),
  'accepted: another time-out': put('accepted', { maxTimeoutSeconds: 600 }),
  'accepted: another domain name': put('extra', { name: 'USDC' }),
  'signed: less than the price': signed(() => ({ value: '999' })),
  'signed: more than the price': signed(() => ({ value: '2000' })),
  'signed: nothing': signed(() => ({ value: '0' })),
  'signed: for another payee': signed(() => ({ to: OTHER })),
  'signed: on another chain': inDomain({ chainId: 1 }),
  'signed: for another token': inDomain({ verifyingContract: OTHER }),
  'signed: under another domain name': inDomain({ name: 'USDC' }),
  'signed: under another domain version': inDomain({ version: '1' }),

  // Time.
  expired: signed(() => ({ validBefore: String(now() - 60) })),
  'five seconds left': signed(() => ({ validBefore: String(now() + 5) })),
  'not yet valid': signed(() => ({ validAfter: String(now() + 60), validBefore: String(now() + 120) })),
  'valid for a year': signed(() => ({ validBefore: String(now() + 365 * 86_400) })),

  // The signature, and who signed.
  'one bit of the signature flipped': resigned(flipBit),
  'in the name of another account': put('authorization', { from: freshAccount().address }),
  'v is 0 or 1': resigned((signature) => signature.replace(/1[bc]$/, (v) => (v === '1b' ? '00' : '01'))),
  's in the upper half': resigned(withHighS),
  'a payer without money': async (side) => {
    const poor = { ...side, buyer: freshAccount() }
    return [await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(await sign(poor)) })]
  },

  // Other spellings of a good payment.
  'accepted addresses in lower case': bent(({ accepted }) => {
    accepted.payTo = String(accepted.payTo).toLowerCase()
    accepted.asset = String(accepted.asset).toLowerCase()
  }),
  'signed addresses in lower case': bent(({ payload: { authorization } }) => {
    authorization.from = String(authorization.from).toLowerCase()
    authorization.to = String(authorization.to).toLowerCase()
  }),
  'nonce and signature in upper case': bent(({ payload }) => {
    payload.signature = `0x${payload.signature.slice(2).toUpperCase()}`
    payload.authorization.nonce = `0x${String(payload.authorization.nonce).slice(2).toUpperCase()}`
  }),
  'the value as a number': put('authorization', { value: 1000 }),
  'the value in hexadecimal': put('authorization', { value: '0x3e8' }),
  'the value with a leading zero': put('authorization', { value: '01000' }),
  'the value in spaces': put('authorization', { value: ' 1000 ' }),
  'unknown members': bent((payload) => {
    payload.junk = { deep: [1, 2, 3] }
    payload.accepted.junk = 1
    payload.accepted.extra.junk = 1
    payload.payload.authorization.junk = 1
  }),
  'a member called __proto__': sendHeader(async (side) => {
    const text = JSON.stringify(await sign(side))
    return Buffer.from(`${text.slice(0, -1)},"__proto__":{"x402Version":1}}`).toString('base64')
  }),
  'no resource': without('payment', 'resource'),
  'another resource': put('payment', { resource: { url: 'https://other.example/' } }),
  'extensions that are a string': put('payment', { extensions: 'zzz' }),
  'extensions echoed': bent((payload, side) => {
    payload.extensions = side.offer.extensions
  }),
  'extensions echoed with a payment identifier': bent((payload, side) => {
    const echo = structuredClone(side.offer.extensions) as Record<string, { info: Loose }>
    ;(echo['payment-identifier'] as { info: Loose }).info.id = `id-${side.buyer.address}`
    payload.extensions = echo
  }),
  'an extension echoed without what was declared': bent((payload, side) => {
    payload.extensions = { 'payment-identifier': { info: { id: `id-${side.buyer.address}` } } }
  }),

  // One payment, more than once.
  'the same request again': async (side) => {
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)) }
    return [await post(side, headers), await post(side, headers), await post(side, headers)]
  },
  'the same payment in another spelling': async (side) => {
    const payload = await sign(side)
    const first = await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(payload) })
    payload.payload.signature = `0x${payload.payload.signature.slice(2).toUpperCase()}`
    return [first, await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(payload) })]
  },
  'the same payment for another value': async (side) => {
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)) }
    return [await post(side, headers), await post(side, headers, undefined, 'another value')]
  },
  'the same payment on another route': async (side) => {
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)) }
    return [await post(side, headers), await post(side, headers, '/api/validate/pl-nip')]
  },
  'a payment first used on another route than it was signed for': async (side) => [
    await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)) }, '/api/validate/pl-nip'),
  ],
  'five copies at once': async (side) => {
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)) }
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(side, headers)))
    // Which copy comes first, and where the others are stopped, is not the script's to say.
    return answers
      .map(({ status }) => new Response(null, { status }))
      .sort((one, other) => one.status - other.status)
  },
  'a good payment after a refused one': async (side) => {
    const bad = await sign(side)
    bad.payload.signature = flipBit(bad.payload.signature)
    return [
      await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(bad) }),
      await post(side, { 'PAYMENT-SIGNATURE': encodeHeader(await sign(side)) }),
    ]
  },

  // The route in another spelling.
  'a query string': async (side) => [await post(side, {}, '/api/validate/iban?a=1')],
  'a slash at the end': async (side) => [await post(side, {}, '/api/validate/iban/')],
  'the path in upper case': async (side) => [await post(side, {}, '/API/validate/iban')],
  'a letter of the path encoded': async (side) => [await post(side, {}, '/api/validate/%69ban')],
  'no such route': async (side) => [await post(side, {}, '/api/validate/us-ssn')],
}
