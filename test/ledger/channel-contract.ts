import { describe, expect, test } from 'vitest'
import type { ChannelChange, NewChannel } from '../../src/ledger/channels/channel-row.ts'
import type { DepositRow } from '../../src/ledger/channels/deposit-row.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { hex, newChannel, newDeposit } from '../support/channel-rows.ts'
import { eachWithStore, type OpenStore } from './each-with-store.ts'

/** What every ledger adapter has to do with channels; run once per adapter. */
export function describeChannelStore(name: string, open: OpenStore): void {
  describe(`channels in the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    const opened = async (change: Partial<NewChannel> = {}) => {
      const row = await ledger.openChannel(newChannel(change))
      if (row === null) throw new Error('known')
      return row
    }

    test('gives back every member of a channel, and opens it once', async () => {
      const channel = newChannel()
      const row = await ledger.openChannel(channel)
      expect(row).toEqual({ ...channel, refunding: 0n, refunded: 0n, mismatches: 0, calls: 1, revision: 0 })
      expect(await ledger.findChannel(channel.id)).toEqual(row)
      expect(await ledger.openChannel(channel)).toBeNull()
      expect(await ledger.findChannel(hex(32))).toBeNull()
    })

    test('lets exactly one of twenty concurrent charges win', async () => {
      const row = await opened()
      const moved = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          ledger.moveChannel(row, {
            charged: 2_000n,
            signature: `0x${index}`,
            calls: 2,
            lastCall: row.lastCall,
          }),
        ),
      )
      expect(moved.filter((each) => each !== null)).toHaveLength(1)
      expect(await ledger.findChannel(row.id)).toMatchObject({ charged: 2_000n, calls: 2, revision: 1 })
    })

    test('gives back every member of a change', async () => {
      const row = await opened()
      const { lastCall } = newChannel()
      const change = {
        ...{ balance: 7n, totalClaimed: 5n, refundNonce: 3n, withdrawRequestedAt: 9, readAt: 2_000 },
        ...{ charged: 6n, signature: '0x2', refunding: 1n, refunded: 4n, calls: 2 },
        lastCall: {
          ...lastCall,
          ...{ amount: 8n, surface: 'mcp', checkType: 'email', ruleset: 'r2', shape: 'list', items: 4 },
          ...{ bindingKey: 'key', chargedAt: 1_500, transaction: '0x1' },
        },
      } as const satisfies ChannelChange
      const moved = { ...row, ...change, mismatches: 0, revision: 1 }
      expect(await ledger.moveChannel(row, change)).toEqual(moved)
      expect(await ledger.findChannel(row.id)).toEqual(moved)
    })

    test('a look at the chain and a refund change what they name and nothing else', async () => {
      const row = await opened()
      const read = await ledger.moveChannel(row, {
        balance: 500_000n,
        totalClaimed: 1_000n,
        refundNonce: 1n,
        withdrawRequestedAt: 7,
        refunding: 0n,
        refunded: 1_000n,
        readAt: 5_000,
      })
      expect(read).toEqual({
        ...row,
        balance: 500_000n,
        totalClaimed: 1_000n,
        refundNonce: 1n,
        withdrawRequestedAt: 7,
        refunded: 1_000n,
        readAt: 5_000,
        revision: 1,
      })
      expect(await ledger.moveChannel(row, { refunding: 5n })).toBeNull()
    })

    test('a change is one of the channel that is named, of several at the same revision and voucher', async () => {
      const [row, other] = [await opened(), await opened()]
      expect(await ledger.noteVoucherRepeat(row, true)).toBe(1)
      expect(await ledger.moveChannel(row, { readAt: 2_000 })).toMatchObject({ revision: 1 })
      expect(await ledger.findChannel(other.id)).toEqual(other)
    })

    test('lists what can be claimed, the most exposed first, and what can be withdrawn', async () => {
      const little = await opened({ charged: 3_000n, totalClaimed: 2_000n })
      const much = await opened({ charged: 20_000n })
      const claimed = await opened({ charged: 9_000n, totalClaimed: 9_000n })
      // Of two of these nothing is left to claim from; an old backup has charged less than was claimed.
      for (const charged of [9_000n, 12_000n])
        await opened({ balance: 9_000n, charged, totalClaimed: 9_000n })
      const behind = await opened({ charged: 8_000n, totalClaimed: 9_000n })
      expect((await ledger.claimableChannels(10)).map(({ id }) => id)).toEqual([much.id, little.id])
      const funded = [little.id, much.id, claimed.id, behind.id].sort()
      expect((await ledger.fundedChannels(10)).map(({ id }) => id)).toEqual(funded)
      expect((await ledger.fundedChannels(10, funded[0])).map(({ id }) => id)).toEqual(funded.slice(1))
    })

    test('adds up what is deposited, charged, claimed and exposed', async () => {
      await opened({ charged: 3_000n, totalClaimed: 2_000n, withdrawRequestedAt: 5 })
      await opened({ charged: 20_000n, readAt: 500 })
      // Withdrawn from under a voucher; an older copy of the store; claimed and closed.
      await opened({ balance: 4_000n, totalClaimed: 4_000n, charged: 6_000n, readAt: 1 })
      await opened({ charged: 1_000n, totalClaimed: 3_000n })
      await opened({ balance: 2_000n, charged: 2_000n, totalClaimed: 2_000n, readAt: 1 })
      // Nothing is left to claim before its withdrawal.
      await opened({ charged: 2_000n, totalClaimed: 2_000n, withdrawRequestedAt: 5 })
      await ledger.claimDeposit(newDeposit({ leaseUntil: 1_000 }))
      await ledger.claimDeposit(newDeposit({ leaseUntil: 1_001 }))
      await ledger.claimDeposit(newDeposit({ leaseUntil: 0, state: 'landed' }))
      expect(await ledger.channelTotals(1_000)).toEqual({
        channels: 6,
        calls: 6,
        deposited: 1_006_000n,
        charged: 34_000n,
        claimed: 13_000n,
        exposed: 21_000n,
        lost: 2_000n,
        open: 4,
        withdrawing: 2,
        urgent: 1,
        ahead: 1,
        oldestReadAt: 500,
        depositsInDoubt: 1,
      })
    })

    test('adds up nothing where there is no channel', async () => {
      const { depositsInDoubt, oldestReadAt, ...sums } = await ledger.channelTotals(1_000)
      expect([depositsInDoubt, oldestReadAt]).toEqual([0, null])
      expect(new Set(Object.values(sums).map(Number))).toEqual(new Set([0]))
    })

    test('lists every channel in order of its id', async () => {
      const rows = [await opened(), await opened({ balance: 0n }), await opened()]
      const ids = rows.map(({ id }) => id).sort()
      expect((await ledger.listChannels(2)).map(({ id }) => id)).toEqual(ids.slice(0, 2))
      expect((await ledger.listChannels(2, ids[1])).map(({ id }) => id)).toEqual(ids.slice(2))
    })

    test('counts differing repeats of the newest voucher, and from zero after the next one', async () => {
      const row = await opened()
      expect(await ledger.noteVoucherRepeat(row, true)).toBe(1)
      expect(await ledger.noteVoucherRepeat(row, false)).toBe(1)
      expect(await ledger.noteVoucherRepeat(row, true)).toBe(2)
      expect(await ledger.findChannel(row.id)).toEqual({ ...row, mismatches: 2 })
      await ledger.moveChannel(row, { readAt: 2_000 })
      const lookedAt = await ledger.findChannel(row.id)
      expect(lookedAt).toMatchObject({ mismatches: 2, revision: 1 })
      const charged = await ledger.moveChannel(lookedAt ?? row, { charged: 2_000n, lastCall: row.lastCall })
      expect(charged).toMatchObject({ mismatches: 0 })
      expect(await ledger.findChannel(row.id)).toEqual(charged)
      // The voucher that was guessed at is the newest one no more.
      expect(await ledger.noteVoucherRepeat(row, true)).toBe(0)
      expect(await ledger.findChannel(row.id)).toEqual(charged)
    })

    test('keeps a deposit once, and moves it only from what was seen', async () => {
      const deposit = newDeposit({ transaction: '0x1' })
      expect(await ledger.claimDeposit(deposit)).toEqual(deposit)
      expect(await ledger.claimDeposit({ ...deposit, owner: 'boot-2' })).toBeNull()
      expect(await ledger.findDeposit(deposit.payer, deposit.nonce)).toEqual(deposit)
      const released = await ledger.moveDeposit(deposit, { owner: null, leaseUntil: 0 })
      expect(released).toEqual({ ...deposit, owner: null, leaseUntil: 0 })
      expect(await ledger.moveDeposit(deposit, { state: 'landed' })).toBeNull()
      expect(await ledger.depositsWith(deposit.channel, 1_000n)).toEqual([released])
      expect(await ledger.depositsWith(deposit.channel, 2_000n)).toEqual([])
      expect(await ledger.unresolvedDeposits(1, 10)).toEqual([released])
      const landed = await ledger.moveDeposit({ ...deposit, ...released }, { state: 'landed' })
      expect(landed).toMatchObject({ state: 'landed', leaseUntil: 0 })
      expect(await ledger.moveDeposit({ ...deposit, ...released }, { owner: 'boot-2' })).toBeNull()
    })

    test('forgets a deposit that came to nothing, if it is as it was seen, so that another may have its nonce', async () => {
      const [deposit, other] = [newDeposit(), newDeposit()]
      for (const each of [deposit, other]) await ledger.claimDeposit(each)
      for (const seen of [{ state: 'landed' }, { owner: null }, { leaseUntil: 1 }] as const)
        expect(await ledger.moveDeposit({ ...deposit, ...seen }, null)).toBeNull()
      expect(await ledger.findDeposit(deposit.payer, deposit.nonce)).toEqual(deposit)
      expect(await ledger.moveDeposit(deposit, null)).toEqual(deposit)
      expect(await ledger.findDeposit(deposit.payer, deposit.nonce)).toBeNull()
      expect(await ledger.depositsWith(deposit.channel, 1_000n)).toEqual([])
      expect(await ledger.findDeposit(other.payer, other.nonce)).toEqual(other)
      const again = { ...deposit, validBefore: 300, voucher: 2_000n }
      expect(await ledger.claimDeposit(again)).toEqual(again)
    })

    test.each([
      ['payer', { payer: hex(20) }],
      ['nonce', { nonce: hex(32) }],
    ] as const)('takes deposits that differ in their %s for different ones', async (_, differing) => {
      const deposit = newDeposit()
      const other = newDeposit({ ...deposit, ...differing })
      for (const each of [deposit, other]) expect(await ledger.claimDeposit(each)).toEqual(each)
      expect(await ledger.moveDeposit(deposit, { transaction: '0x1' })).toMatchObject({ transaction: '0x1' })
      expect(await ledger.findDeposit(other.payer, other.nonce)).toEqual(other)
      expect(await ledger.findDeposit(deposit.payer, deposit.nonce)).toMatchObject({ transaction: '0x1' })
    })

    test('moves no deposit whose state, owner or lease is another than was seen', async () => {
      const deposit = newDeposit()
      await ledger.claimDeposit(deposit)
      for (const seen of [
        { state: 'landed' },
        { owner: 'boot-2' },
        { owner: null },
        { leaseUntil: 1 },
      ] as const)
        expect(await ledger.moveDeposit({ ...deposit, ...seen }, { state: 'landed' })).toBeNull()
      expect(await ledger.findDeposit(deposit.payer, deposit.nonce)).toEqual(deposit)
    })

    test('lists deposits of one channel and voucher, and those that may have been sent, oldest first', async () => {
      const channel = hex(32)
      const put = async (nonce: string, change: Partial<DepositRow>) =>
        void (await ledger.claimDeposit(newDeposit({ channel, nonce, leaseUntil: 5_000, ...change })))
      await put('0x1', { claimedAt: 3_000, payer: '0x1' })
      await put('0x2', { claimedAt: 2_000, payer: '0x2' })
      await put('0x3', { claimedAt: 1_000, voucher: 2_000n, leaseUntil: 5_001 })
      await put('0x4', { claimedAt: 1_000, channel: hex(32), state: 'landed' })
      const nonces = (rows: readonly DepositRow[]) => rows.map(({ nonce }) => nonce)
      expect(nonces(await ledger.depositsWith(channel, 1_000n))).toEqual(['0x2', '0x1'])
      expect(nonces(await ledger.unresolvedDeposits(5_000, 10))).toEqual(['0x2', '0x1'])
      expect(nonces(await ledger.unresolvedDeposits(5_001, 2))).toEqual(['0x3', '0x2'])
    })

    test('charges a call together with its task, or neither', async () => {
      const row = await opened()
      const change = { charged: 2_000n, signature: '0x2', calls: 2, lastCall: row.lastCall }
      const payment = (nonce: string) => ({ network: 'n', asset: 'a', payer: row.config.payer, nonce })
      const key = hex(32)
      const task = { key, sealed: Buffer.from('unpaid'), createdAt: 1, expiresAt: 10_000 }
      await ledger.saveTask(task, 10)
      const attachment = {
        kind: 'existing',
        key,
        expiresAt: 90_000,
        now: 5,
        sealed: Buffer.from('paid'),
      } as const
      const move = { kind: 'move', seen: row, change } as const
      const gone = { ...attachment, key: hex(32) }
      expect(await ledger.chargeWithTask(move, { payment: payment('1'), attachment: gone })).toEqual({
        kind: 'task_gone',
      })
      expect(await ledger.findChannel(row.id)).toEqual(row)

      const stale = { ...move, seen: { ...row, revision: 7 } }
      expect(await ledger.chargeWithTask(stale, { payment: payment('1'), attachment })).toEqual({
        kind: 'raced',
      })
      expect(await ledger.findTask(key)).toMatchObject({ payment: null, sealed: Buffer.from('unpaid') })

      const charged = await ledger.chargeWithTask(move, { payment: payment('1'), attachment })
      expect(charged).toMatchObject({ kind: 'charged', row: { charged: 2_000n, revision: 1 } })
      expect(await ledger.findTask(key)).toEqual({
        ...{ key, sealed: Buffer.from('paid'), createdAt: 1, expiresAt: 90_000, ended: null },
        payment: payment('1'),
      })
      expect(await ledger.endTask(key, 'canceled', Buffer.from('x'), 6)).toBe(false)
      const other = { payment: payment('2'), attachment }
      expect(await ledger.chargeWithTask(move, other)).toEqual({ kind: 'task_taken' })
      expect(await ledger.showCharge(other)).toBe(false)
      expect(await ledger.showCharge({ payment: payment('1'), attachment })).toBe(true)
    })

    test('opens a channel together with a new task; of twenty at once one wins, with its task', async () => {
      const channel = newChannel()
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const task = { key: `task-${index}`, sealed: Buffer.from('s'), createdAt: 1, expiresAt: 9 }
          const payment = { network: 'n', asset: 'a', payer: channel.config.payer, nonce: `${index}` }
          return ledger.chargeWithTask(
            { kind: 'open', channel },
            { payment, attachment: { kind: 'new', task } },
          )
        }),
      )
      expect(outcomes.filter(({ kind }) => kind === 'charged')).toHaveLength(1)
      expect(outcomes.filter(({ kind }) => kind === 'raced')).toHaveLength(19)
      const tasks = await Promise.all(outcomes.map((_, index) => ledger.findTask(`task-${index}`)))
      const winner = outcomes.findIndex(({ kind }) => kind === 'charged')
      expect(tasks.map((task) => task !== null)).toEqual(outcomes.map((_, index) => index === winner))
    })

    test('forgets what a call was about when its answer is no longer repeated', async () => {
      const row = await opened()
      await ledger.purge(10 * 86_400_000, { deliveredMs: 3_600_000, undeliveredMs: 86_400_000 })
      const kept = await ledger.findChannel(row.id)
      expect(kept?.lastCall).toMatchObject({ salt: null, binding: null, bindingKey: null, amount: 1_000n })
      expect(kept?.charged).toBe(1_000n)
    })

    test('keeps what a call was about, and its key, as long as its answer is repeated', async () => {
      const day = 86_400_000
      const [past, recent] = ['binding-key/1970-01-01T00', 'binding-key/1970-01-01T01']
      for (const name of [past, recent]) await ledger.ensureFact(name, 'sealed')
      const { lastCall } = newChannel()
      const row = await opened({ lastCall: { ...lastCall, chargedAt: 9 * day, bindingKey: recent } })
      await ledger.purge(10 * day, { deliveredMs: 3_600_000, undeliveredMs: day })
      expect(await ledger.findChannel(row.id)).toEqual(row)
      expect([await ledger.findFact(past), await ledger.findFact(recent)]).toEqual([null, 'sealed'])
    })
  })
}
