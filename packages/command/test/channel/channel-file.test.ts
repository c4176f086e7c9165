import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LACKS } from '../../../../test/support/platform.ts'
import { scratchDir } from '../../../../test/support/service-process.ts'
import { defaultChannelFile, openChannelFile } from '../../src/channel/channel-file.ts'

let scratch: ReturnType<typeof scratchDir>
let path: string
beforeEach(() => {
  scratch = scratchDir()
  path = join(scratch.path, 'state', 'channel.sqlite')
})
afterEach(() => scratch.remove())

const PAYLOAD = {
  x402Version: 2,
  accepted: { scheme: 'batch-settlement' },
  payload: { type: 'voucher' },
} as never
const ACCOUNT = {
  balance: 2n ** 100n,
  charged: 2_000n,
  signed: 3_000n,
  pending: { payload: PAYLOAD, total: 3_000n, deposit: 250_000n, call: 'key' },
}

test('an empty HOME is unset: the file is not below the working directory', () => {
  vi.stubEnv('HOME', '')
  try {
    expect(isAbsolute(defaultChannelFile('http://127.0.0.1:4021/', '0x12345678'))).toBe(true)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('gives back every member after it was closed, and nothing for another channel', () => {
  const file = openChannelFile(path)
  file.write('0xa', { ...ACCOUNT, pending: null })
  file.write('0xa', ACCOUNT)
  file.close()
  const again = openChannelFile(path)
  expect(again.find('0xa')).toEqual(ACCOUNT)
  expect(again.find('0xb')).toBeNull()
  again.close()
})

test.skipIf(LACKS.modes)('can be read by its owner alone', () => {
  openChannelFile(path).close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(scratch.path, 'state')).mode & 0o777).toBe(0o700)
})

test('is used by one run at a time', () => {
  const file = openChannelFile(path)
  expect(() => openChannelFile(path)).toThrow('another run uses this channel')
  file.close()
  openChannelFile(path).close()
})

test('stands for a request without its value, the same in every run', () => {
  const file = openChannelFile(path)
  const key = file.callKey('iban', 'GB82WEST12345698765432')
  expect(file.callKey('email', 'GB82WEST12345698765432')).not.toBe(key)
  file.close()
  const again = openChannelFile(path)
  expect(again.callKey('iban', 'GB82WEST12345698765432')).toBe(key)
  again.close()
  expect(readFileSync(path, 'latin1')).not.toContain('GB82WEST')
})

test('forgets what stands for a value once its payment is over', () => {
  const file = openChannelFile(path)
  const call = file.callKey('pl-pesel', '90090515836')
  const payload = { ...(PAYLOAD as object), deposit: 'x'.repeat(6_000) } as never
  file.write('0xa', { ...ACCOUNT, pending: { ...ACCOUNT.pending, payload, call } })
  file.write('0xa', { ...ACCOUNT, pending: null })
  file.close()
  expect(readFileSync(path).includes(call)).toBe(false)
})

test('of another program is left alone', () => {
  openChannelFile(path).close()
  writeFileSync(
    path,
    'something else entirely, and long enough to be taken for a header of SQLite '.repeat(4),
  )
  expect(() => openChannelFile(path)).toThrow('not one of this program')
})

test.skipIf(LACKS.proc).each(['/proc/none/state', '/dev/null/state'])(
  'below %s it cannot be written',
  (folder) => {
    expect(() => openChannelFile(join(folder, 'channel.sqlite'))).toThrow(/cannot be written \(E\w+\)/)
  },
)
