/** docs/going-live.md, word for word, on local chains that stand in for the networks of the table. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Network } from '../../src/payments/networks/network.ts'
import { NETWORKS } from '../../src/payments/networks/networks.ts'
import { giveEther } from '../../src/sandbox/chain/provision.ts'
import { outcomeOf, ROOT, run } from '../support/command.ts'
import { freePort } from '../support/ports.ts'
import { scratchDir } from '../support/service-process.ts'
import { startStandIn } from '../support/stand-in-chain.ts'

const PAGE = readFileSync(join(ROOT, 'docs/going-live.md'), 'utf8')
const COMMANDS = [...PAGE.matchAll(/<!-- tried on two chains -->\n```sh\n(.*?)```/gs)].flatMap(
  ([, block = '']) => block.split('\n').flatMap((line) => line || []),
)

/** The settings of a live service that settles itself, an account to buy with, and the chain under both. */
async function stage(network: Network, onTestFinished: (end: () => unknown) => void) {
  const chain = await startStandIn(network)
  const scratch = scratchDir()
  onTestFinished(async () => {
    await chain.stop()
    scratch.remove()
  })
  const [settler, buyer] = [generatePrivateKey(), generatePrivateKey()]
  await giveEther(chain.rpcUrl, privateKeyToAccount(settler).address)
  await chain.fund(privateKeyToAccount(buyer).address, 1_000_000n)
  const port = String(await freePort())
  const dataDir = join(scratch.path, 'data')
  mkdirSync(dataDir)
  return {
    dataDir,
    buyer,
    settings: {
      HOME: scratch.path,
      NODE_ENV: 'production',
      NETWORK: network.name,
      HOST: '127.0.0.1',
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      ADMIN_PORT: String(await freePort()),
      PAY_TO: privateKeyToAccount(generatePrivateKey()).address,
      RPC_URL: chain.rpcUrl,
      DATA_DIR: dataDir,
      CHANNELS: 'on',
      RECEIVER_AUTHORIZER_KEY: generatePrivateKey(),
      FACILITATOR_URL: 'self',
      SETTLEMENT_KEY: settler,
      // Gas on a local chain costs many times what it does on a public one; four calls pay for a refund at this bound.
      SETTLEMENT_MAX_COST_USD: '0.0005',
      SETTLEMENT_ETH_USD: '1',
    },
  }
}

const shell = (command: string, env: Readonly<Record<string, string>>) =>
  outcomeOf(['-c', command], { program: 'bash', env })

test.each(NETWORKS)('the steps of the page on $title', async (network) => {
  const ends: (() => unknown)[] = []
  try {
    const { settings, buyer, dataDir } = await stage(network, (end) => ends.unshift(end))
    const doctor = await shell('node bin/format-checker.js doctor', settings)
    expect(
      doctor.stdout.filter((line) => line.startsWith('fail')).map((line) => line.split(/ +/)[1]),
    ).toEqual(['front'])
    expect(doctor.stdout.join(' ')).toMatch(
      network.isRealMoney ? /the +money +is +real/ : /the +money +is +test +money/,
    )
    expect((await shell('node bin/format-checker.js migrate', settings)).code).toBe(0)
    // Before the service has a turn in its store, which a younger backup would hold too.
    const copy = join(dataDir, 'copy.sqlite')
    const time = new Date().toISOString().replace(/\.\d+/, '')
    const ledger = new Database(join(dataDir, 'ledger.sqlite'))
    ledger.exec(`VACUUM INTO '${copy}'`)
    ledger.close()
    const service = run([join(ROOT, 'src/main.ts')], { env: settings })
    ends.unshift(() => {
      service.child.kill()
      return service.ended
    })
    await expect
      .poll(() =>
        fetch(`${settings.BASE_URL}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        ),
      )
      .toBe(true)

    for (const command of COMMANDS) {
      const line = command
        .replace('npx --no -- format-checker', 'node bin/format-checker.js')
        .replace('copy.sqlite 2026-11-20T04:00:00Z', `${copy} ${time}`)
      const { code, stdout, stderr } = await shell(line, { ...settings, BUYER_PRIVATE_KEY: buyer })
      expect(code, [command, ...stdout, ...stderr].join('\n')).toBe(0)
      if (command.endsWith('doctor -q')) expect(stdout).toEqual([])
      if (command.endsWith('stats')) expect(stdout.filter((row) => row.includes(network.id))).toHaveLength(3)
    }
    const view = await (await fetch(`http://127.0.0.1:${settings.ADMIN_PORT}/`)).text()
    const [, income = ''] = view.split('<h2>Income and cost')
    expect(income).toContain(': $0.003</title>')
    expect(income).toMatch(/<h3>Gas per sale<\/h3><p class="figure">[0-9,]{6}</)
  } finally {
    for (const end of ends) await end()
  }
})

test('no step is left out', () => {
  expect(COMMANDS).toHaveLength(11)
})
