import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DepositRow } from '../../src/ledger/channel-store.ts'
import { depositHold } from '../../src/ledger/deposit-hold.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { newChannel, newDeposit } from './channel-contract.ts'
import { eachWithStore, type OpenStore } from './each-with-store.ts'

const RACES = 20

/** What every ledger adapter has to do with the tasks that deposits are sent for; run once per adapter. */
export function describeTaskHolds(name: string, open: OpenStore): void {
  describe(`a task that a deposit is sent for, ${name}`, () => {
    let ledger: Ledger
    eachWithStore(open, (store) => {
      ledger = store
    })

    const newTask = async (deposit: DepositRow = newDeposit()) => {
      const key = randomBytes(32).toString('hex')
      await ledger.saveTask({ key, sealed: Buffer.from('unpaid'), createdAt: 1, expiresAt: 10_000 }, 1_000)
      const charge = {
        network: 'n',
        asset: 'a',
        payer: deposit.payer,
        nonce: `${deposit.channel}/${deposit.voucher}`,
      }
      const attachment = { kind: 'existing', key, expiresAt: 90_000, now: 5 } as const
      const hold = () => ledger.holdTask({ payment: depositHold(charge), attachment })
      const pay = (nonce: string) => ledger.holdTask({ payment: { ...charge, nonce }, attachment })
      return { key, deposit, charge, attachment, hold, pay, end: () => end(key) }
    }
    const end = (key: string) => ledger.endTask(key, 'canceled', Buffer.from('ended'), 6)

    test('is neither ended nor taken while the deposit is sent, and can be both once it is refused', async () => {
      for (const goOn of ['end', 'pay'] as const) {
        const task = await newTask()
        await ledger.claimDeposit(task.deposit)
        expect(await task.hold()).toBe('attached')
        expect(await task.hold()).toBe('attached')
        expect(await task.end()).toBe(false)
        expect(await task.pay('0xother')).toBe('task_taken')
        await ledger.moveDeposit(task.deposit, { state: 'refused', owner: null, leaseUntil: 0 })
        if (goOn === 'end') expect(await task.end()).toBe(true)
        else expect(await task.pay('0xother')).toBe('attached')
        expect(await task.hold()).toBe(goOn === 'end' ? 'task_gone' : 'task_taken')
      }
    })

    test('is not ended before a deposit that has landed is charged, for it or for another call', async () => {
      const task = await newTask()
      await ledger.claimDeposit(task.deposit)
      await task.hold()
      await ledger.moveDeposit(task.deposit, { state: 'landed', owner: null, leaseUntil: 0 })
      expect(await task.end()).toBe(false)
      await ledger.openChannel(newChannel({ id: task.deposit.channel, charged: task.deposit.voucher }))
      expect(await task.end()).toBe(true)
    })

    test('is charged by the voucher of its deposit, and then stays so', async () => {
      const task = await newTask()
      await ledger.claimDeposit(task.deposit)
      await task.hold()
      await ledger.moveDeposit(task.deposit, { state: 'landed', owner: null, leaseUntil: 0 })
      const channel = newChannel({ id: task.deposit.channel, charged: task.deposit.voucher })
      const attachment = { ...task.attachment, sealed: Buffer.from('paid') }
      const charged = await ledger.chargeWithTask(
        { kind: 'open', channel },
        { payment: task.charge, attachment },
      )
      expect(charged.kind).toBe('charged')
      expect(await ledger.findTask(task.key)).toMatchObject({
        payment: task.charge,
        sealed: attachment.sealed,
      })
      expect(await task.end()).toBe(false)
      expect(await task.hold()).toBe('task_taken')
    })

    test('of an end and a deposit at the same moment, at most one goes through', async () => {
      for (let race = 0; race < RACES; race += 1) {
        const earlier = newDeposit({ state: 'refused', owner: null, leaseUntil: 0 })
        const task = await newTask(earlier)
        if (race % 2 === 0) {
          await ledger.claimDeposit(earlier)
          await task.hold()
        }
        const send = async () => {
          await ledger.claimDeposit({ ...newDeposit(), channel: earlier.channel, voucher: earlier.voucher })
          return task.hold()
        }
        const [held, ended] = await Promise.all([send(), task.end()])
        expect([held, ended]).toEqual(held === 'attached' ? ['attached', false] : ['task_gone', true])
      }
    })
  })
}
