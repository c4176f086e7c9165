/**
 * Where our service's processor time goes under one kind of load: `node bench/profile/profile.ts <kind> [requests]
 * [connections]`.
 * Prints the functions with the largest share of their own, and of all they call.
 */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { httpRequest } from '../load/http-request.ts'
import { startLoad } from '../load/load.ts'
import type { Source } from '../load/loader.ts'
import { callOf, LIST_VALUES, type PaidSurface } from '../load/paid-request.ts'
import { listTerms, termsOf } from '../load/recorded-answer.ts'
import { startOurs, startWorld } from '../servers/our-service.ts'
import { type CpuProfile, chargedShares, sharesOf } from './shares.ts'

/** The end of the profile, idle time not counted: the server is warm by then. */
const LOOKED_AT_MS = 1_500

const [kind = 'probe', count = '3000', connections = '32'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'format-checker-profile-'))
const load = startLoad()
const world = await startWorld()
const ours = await startOurs(world, {
  ...(kind === 'channel' ? { env: { CHANNELS: 'on', RECEIVER_AUTHORIZER_KEY: generatePrivateKey() } } : {}),
  nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'],
})

const fixed = (bytes: Buffer): Source => ({ kind: 'fixed', bytes: bytes.toString('base64') })

async function sourceOf(name: string): Promise<{ source: Source; expected: number }> {
  const [how, surface = 'rest'] = name.split('-')
  if (how === 'probe') {
    return { source: fixed(httpRequest({ method: 'POST', path: '/api/validate/iban' })), expected: 402 }
  }
  if (how === 'get') return { source: fixed(httpRequest({ method: 'GET', path: surface })), expected: 200 }
  if (how === 'channel') {
    const required = await termsOf(ours.port, '/api/channel/validate/iban')
    return { source: { kind: 'vouchers', count: Number(count), required, channels: 32 }, expected: 200 }
  }
  const expected = surface === 'mcp' ? 200 : 402
  if (how === 'unpaid') return { source: fixed(callOf(surface as PaidSurface)), expected }
  const single = await termsOf(ours.port)
  if (surface === 'in_band')
    return { source: { kind: surface, count: Number(count), required: single, payers: 64 }, expected: 200 }
  const required = surface === 'list' ? listTerms(single, LIST_VALUES) : single
  const paid = { surface: surface as PaidSurface, count: Number(count), required, payers: 64 }
  return { source: { kind: 'paid', ...paid }, expected: 200 }
}

const job = {
  port: ours.port,
  connections: Number(connections),
  milliseconds: 8_000,
  ...(await sourceOf(kind)),
}
const window = await load.drive(ours.pid, job)
console.log(JSON.stringify(window))
ours.child.kill('SIGTERM')
await once(ours.child, 'exit')
await Promise.all([load.stop(), world.stop(), ours.stop()])
for (const file of readdirSync(folder)) {
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile
  for (const line of sharesOf(profile, LOOKED_AT_MS, 40)) console.log(line)
  console.log('charged to ours:')
  for (const line of chargedShares(profile, LOOKED_AT_MS, 40)) console.log(line)
}
