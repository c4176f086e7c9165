import { bytesToHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import type { ChannelPayment } from '../../../src/payments/channels/voucher/decode-channel-payment.ts'
import { channelDigests } from '../../../src/payments/channels/voucher/digests.ts'
import {
  createVoucherJudge,
  type VoucherJudge,
} from '../../../src/payments/channels/voucher/voucher-judge.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { newChannel } from '../../support/channel-rows.ts'

const { channelIdOf, voucherDigest } = channelDigests(BASE)
const { config } = newChannel()
const other = newChannel().config
const SIGNATURE = `0x${'00'.repeat(31)}01${'00'.repeat(31)}011b` as const

let recovered: unknown[]
let judge: VoucherJudge
beforeEach(() => {
  recovered = []
  judge = createVoucherJudge(BASE, async (digest, signature) => {
    recovered.push([bytesToHex(digest), bytesToHex(signature)])
    return config.payerAuthorizer as `0x${string}`
  })
})

const ask = (given = config, channelId = channelIdOf(config), signature: `0x${string}` = SIGNATURE) =>
  judge({ config: given, voucher: { channelId, amount: 7n, signature } } as ChannelPayment)

test('a voucher is good if the key that its channel names has signed its channel and sum', async () => {
  expect(await ask()).toBe(true)
  expect(recovered).toEqual([[bytesToHex(voucherDigest(channelIdOf(config), 7n)), SIGNATURE]])
  const elsewhere = { ...config, payerAuthorizer: other.payerAuthorizer }
  expect(await ask(elsewhere, channelIdOf(elsewhere))).toBe(false)
})

test.each([
  'payer',
  'payerAuthorizer',
  'receiver',
  'receiverAuthorizer',
  'token',
  'withdrawDelay',
  'salt',
] as const)('a configuration that differs in its %s is of another channel, known or not', async (name) => {
  const changed = { ...config, [name]: name === 'withdrawDelay' ? config.withdrawDelay + 1 : other[name] }
  expect(await ask(changed)).toBe(false)
  expect(await ask()).toBe(true)
  expect(await ask(changed)).toBe(false)
  expect(await ask()).toBe(true)
})

test('a signature in a second form is refused, so that each voucher has one', async () => {
  expect(await ask(config, channelIdOf(config), `0x${SIGNATURE.slice(2, -2)}00`)).toBe(false)
  expect(recovered).toEqual([])
})
