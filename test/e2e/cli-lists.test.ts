/** `buy TYPE --file` against the whole sandbox: what is written, what is paid, and how a run is continued. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RESULT_NAMES, resultColumns } from '../../src/lists/results.ts'
import { buyStage, inDoubt } from '../support/buy-stage.ts'
import { CLI, outcomeOf, run } from '../support/command.ts'
import { validValue } from '../support/identifiers.ts'
import { LACKS } from '../support/platform.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'
import { type Cell, xlsx } from '../support/workbooks.ts'

const PRICE = 1_000n
const CANARY = 'CANARY-4f1d-8e20'
const IN_DOUBT = inDoubt('0')

const stage = buyStage()
const { environment, command, buy } = stage

let scratch: ScratchDir
let out: string
beforeEach(() => {
  scratch = scratchDir()
  out = join(scratch.path, 'out.csv')
})
afterEach(() => scratch.remove())

function fileOf(text: string, name = 'list.txt'): string {
  const path = join(scratch.path, name)
  writeFileSync(path, text)
  return path
}
const ibans = (count: number) => Array.from({ length: count }, (_, seed) => validValue('iban', seed))
const rowsIn = (path: string) =>
  parse(readFileSync(path, 'utf8'), { columns: true }) as Record<string, string>[]

/** Verifies a statement of the scratch folder by the keys of the service. */
const verify = ([statement = '', ...args]: readonly string[]) =>
  outcomeOf([CLI, 'verify', join(scratch.path, statement), ...args, '--url', stage.service.url])

/** Payments made and values paid for meanwhile. */
async function sales(act: () => Promise<unknown>) {
  const { payments, earned } = await stage.moved(act)
  return { payments, values: Number(earned / PRICE) }
}

test('CSV in, CSV out: the columns of the input, each value bought once, in as few payments as fit', async () => {
  const values = ibans(25)
  const lines = [...values, ...values.slice(0, 5), 'DE00'].map((iban, at) => `"row ${at}, x";${iban}`)
  const file = fileOf(`name;iban\n${lines.join('\n')}\nblank;\n`, 'list.csv')
  const sold = await sales(async () => {
    const { code, stdout, stderr } = await buy(['iban', '--file', file, '--out', out, '--batch', '10'])
    expect([code, stdout]).toEqual([0, []])
    expect(stderr).toEqual([
      expect.stringMatching(/^checked {2}31: 30 valid, 1 invalid \(\w+ 1\); 5 repeated, checked once$/),
      'skipped  1 (empty 1)',
      'spent    0.026 USDC',
    ])
  })
  expect(sold).toEqual({ payments: 3, values: 26 })
  const written = parse(readFileSync(out, 'utf8'), { columns: true, delimiter: ';' }) as Record<
    string,
    string
  >[]
  expect(written).toHaveLength(32)
  for (const [at, row] of written.slice(0, 31).entries()) {
    const verdict = CHECKS.iban(row.iban ?? '')
    expect(row).toMatchObject({
      name: `row ${at}, x`,
      iban: row.iban,
      valid: String(verdict.valid),
      code: verdict.details.code,
      reason: verdict.reason,
      normalized: verdict.normalized?.replaceAll('\u2022', '*') ?? '',
      ...(verdict.valid ? { hint: '', place: '', suggested: '' } : {}),
    })
  }
  expect(written.at(-1)).toMatchObject({ name: 'blank', valid: '', code: 'empty' })
  const proved = join(scratch.path, 'proved.csv')
  const proof = await verify(['out.statement.json', out, '--json', '--out', proved])
  expect(proof.code).toBe(0)
  const { transactions, ...told } = JSON.parse(proof.stdout.join(''))
  expect(told).toEqual({
    ...{ keys: 'named', proved: { values: 26, named: 26, rows: 31 }, paid: '26000', unproven: '0' },
    ...{ signedBy: [expect.stringMatching(/^did:web:/)], payees: [stage.service.sandbox.payTo] },
    ...{ payers: { [stage.service.buyer.address.toLowerCase()]: '26000' }, payersNamed: false },
    ...{ networks: [expect.stringContaining('sandbox')], perValue: ['1000'], onChain: null },
    ...{ firstIssuedAt: expect.any(String), lastIssuedAt: expect.any(String) },
    ...{ file: 'same_hash', input: 'not_compared' },
  })
  expect(transactions.map(({ values }: { values: number }) => values)).toEqual([10, 10, 6])
  // The proved list has the values and answers that were sold, in the cells of the list.
  const rows = parse(readFileSync(proved, 'utf8'), { columns: true }) as Record<string, string>[]
  const byCell = rows.toSorted((one, other) => Number(one.cell) - Number(other.cell))
  expect(byCell.map(({ value, ...row }) => [value, ...RESULT_NAMES.map((name) => row[name])])).toEqual(
    written.slice(0, 31).map(({ iban, ...row }) => [iban, ...RESULT_NAMES.map((name) => row[name])]),
  )
  if (!LACKS.modes) expect(statSync(proved).mode & 0o777).toBe(0o600)
  for (const words of proof.stdout) for (const iban of values) expect(words).not.toContain(iban)
  // What is there is not overwritten, and "-" is standard output.
  expect((await verify(['out.statement.json', '--out', proved])).code).toBe(2)
  const printed = await verify(['out.statement.json', '--out', '-'])
  expect([printed.code, `${printed.stdout.join('\r\n')}\r\n`]).toEqual([0, readFileSync(proved, 'utf8')])
  expect(printed.stderr[0]).toMatch(/^proved: 26 of 26 values/)
  // Its author may have put other keys into it than those of the service.
  const own = await outcomeOf([CLI, 'verify', join(scratch.path, 'out.statement.json')])
  expect([own.code, own.stdout[0]]).toEqual([
    4,
    expect.stringMatching(/^consistent; the signer was not checked/),
  ])
  const page = readFileSync(join(scratch.path, 'out.statement.html'), 'utf8')
  expect(page).toContain('0.026 USDC (26000 atomic units')
  const kept = readFileSync(join(scratch.path, 'out.statement.json'), 'utf8')
  const salts = [...kept.matchAll(/"salt":"([0-9a-f]{32})"/g)].map(([, salt = '']) => salt)
  expect(salts).toHaveLength(3)
  for (const salt of salts) expect(page).not.toContain(salt)
  for (const iban of values) expect(page + kept).not.toContain(iban)
  for (const name of ['out.csv', 'out.statement.json', 'out.statement.html'])
    if (!LACKS.modes) expect(statSync(join(scratch.path, name)).mode & 0o777).toBe(0o600)

  // A changed file is another one, and the same rows are proved.
  writeFileSync(
    join(scratch.path, 'changed.csv'),
    readFileSync(out, 'utf8').replace(';true;ok;', ';false;ok;'),
  )
  const changed = await verify(['out.statement.json', join(scratch.path, 'changed.csv')])
  expect([changed.code, changed.stdout[0]]).toEqual([1, expect.stringMatching(/^proved: 26 of 26 values/)])
  expect(changed.stdout.join('\n')).toMatch(/^file {9}was changed since\. Only the rows in /m)
  for (const left of ['.journal', '.part']) expect(existsSync(`${out}${left}`)).toBe(false)
})

describe('a statement is whole and proves its list', () => {
  const proofOf = async (path: string) => {
    const name = basename(path).replace(/\.[^.]*$/, '.statement.json')
    const { code, stdout, stderr } = await verify([name, path, '--json'])
    const { proved, file } = JSON.parse(stdout.join('') || '{}')
    return [code, stderr, proved?.values === proved?.named, file]
  }
  const sheet: Cell[][] = [['Name', 'IBAN'], ...ibans(3).map((iban) => ['A', iban])]
  const workbook = xlsx({ First: sheet, Second: [['Name', 'IBAN', 'Note'], ...sheet.slice(2)] })
  const first = ibans(1)[0]
  test.each<[string, string | Buffer, string, string, readonly string[]]>([
    ['one of two sheets', workbook, 'l.xlsx', 'out.xlsx', ['--sheet', 'Second']],
    ['a sheet into CSV', workbook, 'l.xlsx', 'out.csv', ['--sheet', 'First']],
    [
      'words that look like totals or rules, said to be values',
      `${first}\ntotal\n1,5E+10\n---\n`,
      ...(['l.txt', 'out.csv', ['--input', 'text']] as const),
    ],
    ['two columns of one name', `iban,iban\nx,${first}\ny,DE1\n`, 'l.csv', 'out.csv', ['--column', '2']],
    ['no headings', `${first};a\nDE1;b\n`, 'l.csv', 'out.csv', ['--column', '1']],
    ['a table', `${first}\nDE1\n`, 'l.txt', 'out.txt', []],
    [
      'JSON Lines',
      `{"iban":"${first}","code":"x"}\n{"iban":"DE1"}\n{"iban":7}\n`,
      'l.jsonl',
      'out.jsonl',
      ['--column', 'iban'],
    ],
    [
      'bytes of an old encoding far down',
      Buffer.concat([
        Buffer.from(`name;iban\n${`ascii;${first}\n`.repeat(3_000)}`),
        Buffer.from([0xf3]),
        Buffer.from(';DE1\n'),
      ]),
      ...(['l.csv', 'out.csv', []] as const),
    ],
  ])('%s', async (_what, content, name, end, args) => {
    const file = join(scratch.path, name)
    writeFileSync(file, content)
    const to = join(scratch.path, end)
    const { code, stderr } = await buy(['iban', '--file', file, '--out', to, ...args])
    expect([code, stderr.join('\n')]).toEqual([0, expect.stringContaining('spent')])
    expect(await proofOf(to)).toEqual([0, [], true, 'same_hash'])
  })

  test('a value that the list lost between two runs', async () => {
    const file = fileOf(ibans(4).join('\n'))
    const args = ['iban', '--file', file, '--out', out, '--batch', '2']
    expect((await buy([...args, '--max-spend', '0.002'])).code).toBe(1)
    fileOf(ibans(4).slice(1).join('\n'))
    expect((await buy(args)).code).toBe(0)
    // It was bought, so it is proved, in no cell.
    expect(await proofOf(out)).toEqual([0, [], true, 'same_hash'])
    const rows = await verify(['out.statement.json', '--out', '-'])
    expect(rows.stdout.filter((line) => line.startsWith(',iban,'))).toEqual([
      expect.stringContaining(`,${ibans(1)[0]},true,`),
    ])
  })
})

describe('several columns in one run', () => {
  const vats = Array.from({ length: 4 }, (_, seed) => validValue('eu-vat', seed))
  const [iban = '', other = ''] = ibans(2)
  const LINES = [
    `"A, x";${iban};${vats[0]}`,
    `B;${other};${vats[1]}`,
    `C;${iban};${vats[2]}X`,
    `D;;${vats[1]}`,
    `E;${vats[3]};n/a`,
  ]
  const BOTH = ['--column', 'iban', '--column', 'VAT']
  const verdictOf = (type: 'iban' | 'eu-vat', value = '') => {
    const { valid, details } = CHECKS[type](value)
    return [String(valid), details.code]
  }
  const proofOf = async (path: string, ...args: string[]) => {
    const name = basename(path).replace(/\.[^.]*$/, '.statement.json')
    const { code, stdout, stderr } = await verify([name, ...args, '--json'])
    return { code, stderr: stderr.join(' '), proof: JSON.parse(stdout.join('') || 'null') }
  }

  test('each type is found by its name, and all are one payment, one journal and one statement', async () => {
    const file = fileOf(`name;iban;vat\n${LINES.join('\n')}\n`, 'list.csv')
    const dry = await buy(['--file', file, ...BOTH, '--dry-run'], { env: { BUYER_PRIVATE_KEY: '' } })
    expect(dry.stdout.filter((line) => /^(?:price|column|left out|values)/.test(line))).toEqual([
      'price    0.006 USDC in 1 payment',
      'column   2 of 3, "iban": iban, 3 values, 0.003 USDC',
      'column   3 of 3, "vat": eu-vat, 3 values, 0.003 USDC',
      'left out 1 empty, free: row 5',
      'left out 1 not_a_value, free: row 6',
      'values   6; 2 repeated, 2 left out',
    ])
    const json = await buy(['--file', file, ...BOTH, '--dry-run', '--json'], {
      env: { BUYER_PRIVATE_KEY: '' },
    })
    expect(JSON.parse(json.stdout.join('')).columns).toEqual([
      { column: 2, type: 'iban', values: 3, total: '3000' },
      { column: 3, type: 'eu-vat', values: 3, total: '3000' },
    ])

    const sold = await sales(async () => {
      const { code, stderr } = await buy(['--file', file, ...BOTH, '--out', out])
      expect([code, stderr]).toEqual([0, expect.arrayContaining(['skipped  2 (empty 1, not_a_value 1)'])])
    })
    expect(sold).toEqual({ payments: 1, values: 6 })
    const [header, ...rows] = parse(readFileSync(out, 'utf8'), { delimiter: ';' }) as string[][]
    expect(header).toEqual([
      ...['name', 'iban', 'vat'],
      ...resultColumns([], [{ type: 'iban' }, { type: 'eu-vat' }]),
    ])
    expect(header?.filter((name) => /valid|code/.test(name))).toEqual([
      ...['iban_valid', 'iban_code', 'eu-vat_valid', 'eu-vat_code'],
    ])
    const [ibanAt = 0, vatAt = 0] = ['iban_valid', 'eu-vat_valid'].map((name) => header?.indexOf(name))
    expect(
      rows.map((cells) => [...cells.slice(ibanAt, ibanAt + 2), ...cells.slice(vatAt, vatAt + 2)]),
    ).toEqual([
      [...verdictOf('iban', iban), ...verdictOf('eu-vat', vats[0])],
      [...verdictOf('iban', other), ...verdictOf('eu-vat', vats[1])],
      [...verdictOf('iban', iban), ...verdictOf('eu-vat', `${vats[2]}X`)],
      ['', 'empty', ...verdictOf('eu-vat', vats[1])],
      [...verdictOf('iban', vats[3]), '', 'not_a_value'],
    ])
    expect(readdirSync(scratch.path).toSorted()).toEqual([
      ...['list.csv', 'out.csv', 'out.statement.html', 'out.statement.json'],
    ])
    const { code, proof } = await proofOf(out)
    expect([code, proof]).toEqual([
      0,
      expect.objectContaining({ proved: { values: 6, named: 6, rows: 8 }, paid: '6000' }),
    ])
    const page = readFileSync(join(scratch.path, 'out.statement.html'), 'utf8')
    expect(page).toContain('iban in column iban; eu-vat in column vat<')
    expect(page).toContain('<td>6: 4 valid, 2 not valid</td>')

    // The output is the input of a further run: its columns get a number.
    const again = join(scratch.path, 'again.csv')
    expect((await buy(['--file', out, ...BOTH, '--out', again])).code).toBe(0)
    expect(readFileSync(again, 'utf8')).toMatch(/;eu-vat_bank;iban_valid_2;/)
    expect(await proofOf(again, again)).toMatchObject({ code: 0, proof: { file: 'same_hash' } })
  })

  const sheet: Cell[][] = [
    ['Name', 'IBAN', 'VAT'],
    ['A', iban, vats[0] ?? ''],
    ['B', other, vats[1] ?? ''],
  ]
  test.each<[string, string | Buffer, string, string, readonly string[]]>([
    ['a workbook', xlsx({ First: sheet }), 'l.xlsx', 'out.xlsx', BOTH],
    ['a workbook into CSV', xlsx({ First: sheet }), 'l.xlsx', 'out.csv', BOTH],
    [
      'JSON Lines',
      `{"iban":"x"}\n{"iban":"${iban}","vat":"${vats[0]}"}\n`,
      'l.jsonl',
      'out.jsonl',
      ['--column', 'iban', '--column', 'vat'],
    ],
    ['a table', `iban,vat\n${iban},${vats[0]}\n`, 'l.csv', 'out.txt', BOTH],
    [
      'no headings',
      `${iban};${vats[0]}\nDE1;DE2\n`,
      'l.csv',
      'out.csv',
      ['--column', '1=iban', '--column', '2=vat'],
    ],
    [
      'two of one type',
      `old,new\n${iban},${other}\nDE1,${iban}\n`,
      'l.csv',
      'out.csv',
      ['--column', 'old=iban', '--column', 'new=IBAN'],
    ],
    [
      'one column as two types',
      `id\n${vats[0]}\n${iban}\n`,
      'l.csv',
      'out.csv',
      ['--column', 'id=iban', '--column', 'id=eu-vat'],
    ],
    ['one column without TYPE', `name,vat\nx,${vats[0]}\n`, 'l.csv', 'out.csv', ['--column', 'vat']],
  ])('%s', async (_what, content, name, end, columns) => {
    const file = join(scratch.path, name)
    writeFileSync(file, content)
    const to = join(scratch.path, end)
    const { stderr } = await buy(['--file', file, '--out', to, ...columns])
    expect(stderr.join(' ')).toMatch(/spent {4}0\.00[1-9] USDC/)
    expect(await proofOf(to, to)).toMatchObject({ code: 0, stderr: '', proof: { file: 'same_hash' } })
  })

  test('a run that stopped goes on with the same columns, and with no others', async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `${ibans(12)[at]};${validValue('eu-vat', at)}`)
    const file = fileOf(`iban;vat\n${lines.join('\n')}\n`, 'list.csv')
    const sold = await sales(async () => {
      const args = ['--file', file, '--out', out, '--batch', '5']
      expect((await buy([...args, ...BOTH, '--max-spend', '0.007'])).code).toBe(1)
      const other = await buy(['iban', ...args])
      expect([other.code, other.stderr.join(' ')]).toEqual([2, expect.stringContaining('another TYPE')])
      expect((await buy([...args, ...BOTH])).code).toBe(0)
    })
    expect(sold.values).toBe(24)
    expect((await proofOf(out)).proof).toMatchObject({ proved: { values: 24, named: 24 } })
  })

  test.each<[string, readonly string[], RegExp]>([
    ['a TYPE for all of them', ['iban', ...BOTH], /leave TYPE out/],
    ['a name that says no type', ['--column', 'iban', '--column', 'name'], /NAME=TYPE/],
    ['a type that does not exist', ['--column', 'iban', '--column', 'vat=vet'], /TYPE must be one of/],
    ['a column that is not there', ['--column', 'iban', '--column', 'regon'], /the file has name, iban, vat/],
    ['no column and no TYPE', [], /TYPE must be one of/],
    ['lines of text', ['--input', 'text', ...BOTH], /lines of text have one/],
  ])('is refused with %s', async (_what, args, words) => {
    const file = fileOf(`name;iban;vat\n${LINES.join('\n')}\n`, 'list.csv')
    const { code, stdout, stderr } = await buy([...args, '--file', file])
    expect([code, stdout, stderr.join(' ')]).toEqual([2, [], expect.stringMatching(words)])
  })
})

test('standard input to standard output, as JSON Lines', async () => {
  const { code, stdout, stderr } = await buy(['pl-nip', '-', '--json', '--quiet', '--out', '-'], {
    input: '5260250274\n1\n',
  })
  expect([code, stderr]).toEqual([0, []])
  expect(stdout.map((line) => JSON.parse(line))).toMatchObject([
    { value: '5260250274', valid: true, code: 'ok' },
    { value: '1', valid: false },
  ])
})

test('values that repeat in a pipe are counted as those of a file', async () => {
  const { stderr } = await buy(['pl-nip', '-'], { input: '5260250274\n1\n5260250274\n5260250274\n' })
  expect(stderr[0]).toMatch(/^checked {2}4: 3 valid, 1 invalid \(\w+ 1\); 2 repeated, checked once$/)
})

test('values the service would refuse cost nothing, and the exit code says that some were', async () => {
  const input = `"${validValue('iban', 1)}"\n"${'x'.repeat(513)}"\n7\nno json\n"\\ud800"\n""\n`
  const sold = await sales(async () => {
    const { code, stdout } = await buy(['iban', '-', '--format', 'jsonl'], { input })
    expect([code, stdout.map((line) => JSON.parse(line).code)]).toEqual([
      1,
      ['ok', 'value_too_long', 'country_missing', 'not_json', 'value_not_unicode', 'empty'],
    ])
  })
  expect(sold).toEqual({ payments: 1, values: 2 })
})

test('a journal that can no longer be written stops the run in one line, and the next one pays for nothing again', async () => {
  const file = fileOf(ibans(400).join('\n'))
  const args = command(['iban', '--file', file, '--out', out, '--quiet'], stage.service.url)
  // No file of this shell may be longer than 64 kB: the payment has room in the journal, its results have not.
  const limited = ['-c', 'ulimit -f 128; exec "$0" "$@"', process.execPath, ...args]
  const sold = await sales(async () => {
    const cut = await outcomeOf(limited, { program: 'sh', env: environment() })
    expect(cut.stderr.join('\n')).toMatch(
      /the journal beside the output cannot be written \(SQLITE_(IOERR|FULL)\)/,
    )
    expect(cut.stderr.join('\n')).not.toMatch(/\n +at /)
    expect(cut.code).toBe(3)
    expect(await buy(['iban', '--file', file, '--out', out, '--quiet'])).toMatchObject({ code: 0 })
  })
  expect(sold).toEqual({ payments: 1, values: 400 })
})

test('several payments: the rows stay in order', async () => {
  const values = ibans(40)
  const sold = await sales(() =>
    buy(['iban', '--file', fileOf(values.join('\n')), '--out', out, '--batch', '5']),
  )
  expect(sold).toEqual({ payments: 8, values: 40 })
  expect(rowsIn(out).map(({ value }) => value)).toEqual(values)
})

test('--dry-run counts and prices, and pays nothing', async () => {
  const file = fileOf(`${[...ibans(12), ...ibans(3)].join('\n')}\n\n`)
  const sold = await sales(async () => {
    const { code, stdout } = await buy(['iban', '--file', file, '--batch', '5', '--dry-run'], {
      env: { BUYER_PRIVATE_KEY: '' },
    })
    expect([code, stdout[0], ...stdout.slice(-3)]).toEqual([
      0,
      'price    0.012 USDC in 3 payments',
      'left out 1 empty, free: row 16',
      'values   12; 3 repeated, 1 left out',
      'Nothing was signed.',
    ])
  })
  expect(sold).toEqual({ payments: 0, values: 0 })
})

test('--dry-run says which column it would check', async () => {
  const rows = ibans(3).map((value) => `Acme;${value.replaceAll(/.{4}/g, '$& ')};x1\n`)
  const file = fileOf(`Account;IBAN;note\n${rows.join('')}`)
  const shown = await buy(['iban', '--file', file, '--dry-run'], { env: { BUYER_PRIVATE_KEY: '' } })
  expect(shown.stdout.slice(-3)).toEqual([
    'column   2 of 3, "IBAN": by its heading, 3 of the first 3 cells fit',
    'values   3; 0 repeated, 0 left out',
    'Nothing was signed.',
  ])
  for (const line of shown.stdout.slice(0, -1)) expect(line).toMatch(/^[a-z ]{8} \S/)
  const json = await buy(['iban', '--file', file, '--column', '3', '--dry-run', '--json'], {
    env: { BUYER_PRIVATE_KEY: '' },
  })
  expect(JSON.parse(json.stdout.join(''))).toMatchObject({ kind: 'terms', column: 3, values: 1 })
})

describe('a run that ended early is continued by the same command', () => {
  const list = () => fileOf(ibans(30).join('\n'))
  const args = (...more: string[]) => ['iban', '--file', list(), '--out', out, '--batch', '10', ...more]
  /** The rest is bought, and nothing twice. */
  async function finish(run: (...more: string[]) => Promise<{ code: number | null }>) {
    expect((await run()).code).toBe(0)
    expect(rowsIn(out).map(({ value, valid }) => [value, valid])).toEqual(
      ibans(30).map((iban) => [iban, 'true']),
    )
    expect(existsSync(`${out}.journal`)).toBe(false)
  }

  test('after --max-spend', async () => {
    const sold = await sales(async () => {
      const first = await buy(args('--max-spend', '0.0299'))
      expect([first.code, first.stderr.join(' ')]).toEqual([1, expect.stringContaining('--max-spend')])
      expect(existsSync(out)).toBe(false)
      const second = await buy(args('--max-spend', '0.0299'))
      expect([second.code, second.stderr.at(2)]).toEqual([1, 'spent    0.029 USDC'])
      await finish(() => buy(args('--max-spend', '0.03')))
    })
    expect(sold).toEqual({ payments: 4, values: 30 })
  })

  test('after the money ran out', async () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    await stage.service.sandbox.fund(address, 25n * PRICE)
    const env = { BUYER_PRIVATE_KEY: key }
    const sold = await sales(async () => {
      const first = await buy(args(), { env })
      expect([first.code, first.stderr.join(' ')]).toEqual([1, expect.stringContaining('insufficient_funds')])
      await stage.service.sandbox.fund(address, 5n * PRICE)
      await finish(() => buy(args(), { env }))
    })
    expect(sold.values).toBe(30)
    expect(await stage.service.balance(address)).toBe(0n)
  })

  test('after an answer was lost: the same signature is sent again', async () => {
    const earlier = stage.proxy.paying.length
    stage.proxy.next('pass', 'lose-answer', ...Array<typeof IN_DOUBT>(5).fill(IN_DOUBT))
    const sold = await sales(async () => {
      const first = await buy(args(), { url: stage.proxy.url })
      expect(first.code).toBe(3)
      expect(first.stderr.join(' ')).toContain('/payments/0x')
      await finish(() => buy(args(), { url: stage.proxy.url }))
    })
    expect(sold).toEqual({ payments: 3, values: 30 })
    expect(new Set(stage.proxy.paying.slice(earlier).map(({ payment }) => payment)).size).toBe(3)
  })

  test('after a request was lost', async () => {
    stage.proxy.next(...Array<typeof IN_DOUBT>(6).fill(IN_DOUBT))
    const sold = await sales(async () => {
      expect((await buy(args(), { url: stage.proxy.url })).code).toBe(3)
      await finish(() => buy(args(), { url: stage.proxy.url }))
    })
    expect(sold).toEqual({ payments: 3, values: 30 })
  })

  test('after Ctrl-C, which says what was spent and how to continue', async () => {
    const sold = await sales(async () => {
      const { child, ended, stderr } = run(command(args('--batch', '1'), stage.proxy.url), {
        env: environment(),
      })
      const { length } = stage.proxy.paying
      await expect.poll(() => stage.proxy.paying.length - length).toBeGreaterThan(1)
      child.kill('SIGINT')
      expect((await ended).code).toBe(130)
      expect(stderr.join('\n')).toMatch(
        /spent {4}0\.\d+ USDC[\s\S]*Interrupted[\s\S]*The same\s+command\s+continues/,
      )
      await finish(() => buy(args('--batch', '1'), { url: stage.proxy.url }))
    })
    expect(sold).toEqual({ payments: 30, values: 30 })
  })

  test('after the list has grown: only what is new is bought', async () => {
    const sold = await sales(async () => {
      writeFileSync(join(scratch.path, 'list.txt'), ibans(20).join('\n'))
      const short = ['iban', '--file', join(scratch.path, 'list.txt'), '--out', out, '--batch', '10']
      expect((await buy([...short, '--max-spend', '0.01'])).code).toBe(1)
      await finish(() => buy(args()))
    })
    expect(sold.values).toBe(30)
  })
})

describe('is refused before anything is paid', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['an output that exists', ['--out', 'EXISTING'], /exists/],
    ['a list over another surface', ['--surface', 'mcp'], /rest only/],
    ['a batch too large', ['--batch', '1001'], /from 1 to 1000/],
    ['an unknown column', ['--column', CANARY], /--column/],
    ['an unknown format', ['--input', 'xml'], /--input must be one of/],
  ])('%s', async (_what, args, words) => {
    const file = fileOf('iban;x\nDE1;2\n')
    const existing = fileOf('', 'existing.csv')
    const sold = await sales(async () => {
      const given = args.map((arg) => (arg === 'EXISTING' ? existing : arg))
      const { code, stdout, stderr } = await buy(['iban', '--file', file, ...given])
      expect([code, stdout, stderr.join(' ')]).toEqual([2, [], expect.stringMatching(words)])
      expect(stderr.join(' ')).not.toContain(CANARY)
    })
    expect(sold).toEqual({ payments: 0, values: 0 })
  })

  test('an output that another run is about to write, which may wait for its input', async () => {
    const slow = join(scratch.path, 'slow')
    execFileSync('mkfifo', [slow])
    const list = ibans(3).join('\n')
    const sold = await sales(async () => {
      const waiting = run(command(['iban', '--file', slow, '--out', out], stage.service.url), {
        env: environment(),
      })
      // Opening waits for a reader, which a run that ended early is not, so its end reads in its place.
      const endedEarly = waiting.ended.then(async () => {
        await (await open(slow, 'r+')).close()
        throw new Error(waiting.stderr.join('\n'))
      })
      const input = await Promise.race([open(slow, 'w'), endedEarly])
      const { code, stderr } = await buy(['iban', '--file', fileOf(list), '--out', out])
      expect([code, stderr.join(' ')]).toEqual([
        2,
        expect.stringContaining('another run continues this list'),
      ])
      await input.writeFile(list)
      await input.close()
      expect((await waiting.ended).code).toBe(0)
    })
    expect(sold).toEqual({ payments: 1, values: 3 })
    expect(readdirSync(scratch.path).toSorted()).toEqual([
      ...['list.txt', 'out.csv', 'out.statement.html', 'out.statement.json', 'slow'],
    ])
  })

  test('an output that has appeared while its list was bought, which is kept until it is moved away', async () => {
    const slow = join(scratch.path, 'slow')
    execFileSync('mkfifo', [slow])
    const list = ibans(3).join('\n')
    const again = () => buy(['iban', '--file', fileOf(list), '--out', out])
    const sold = await sales(async () => {
      const waiting = run(command(['iban', '--file', slow, '--out', out], stage.service.url), {
        env: environment(),
      })
      const input = await open(slow, 'w')
      const other = fileOf('another', 'out.csv')
      await input.writeFile(list)
      await input.close()
      expect((await waiting.ended).code).toBe(1)
      expect(waiting.stderr.join(' ')).toMatch(/move\s+it\s+away[\s\S]*The\s+same\s+command\s+continues/)
      expect(await again()).toMatchObject({ code: 2 })
      expect(readFileSync(other, 'utf8')).toBe('another')
      rmSync(other)
      expect(await again()).toMatchObject({ code: 0 })
    })
    expect(sold).toEqual({ payments: 1, values: 3 })
    expect(rowsIn(out)).toHaveLength(3)
  })

  test.each<[string, string, RegExp]>([
    ['the file that the rows are collected in', 'out.csv.part', /--file/],
    ['the journal', 'out.csv.journal', /--file/],
    ['the statement of another list', 'out.statement.json', /statement/],
  ])('an output that would write over %s', async (_what, name, words) => {
    const kept = `${ibans(3).join('\n')}\n`
    const taken = fileOf(kept, name)
    const file = name.includes('statement') ? fileOf(kept) : taken
    const sold = await sales(async () => {
      const { code, stderr } = await buy(['iban', '--file', file, '--out', out])
      expect([code, stderr.join(' ')]).toEqual([2, expect.stringMatching(words)])
    })
    expect(sold.payments).toBe(0)
    expect(readFileSync(taken, 'utf8')).toBe(kept)
  })

  test('a service that is not there, whose address was wrong: the right one is no other list', async () => {
    const list = fileOf(ibans(3).join('\n'))
    const sold = await sales(async () => {
      const args = ['iban', '--file', list, '--out', out]
      const wrong = await buy(args, { url: 'http://127.0.0.1:9' })
      expect([wrong.code, wrong.stderr.join(' ')]).toEqual([1, expect.stringContaining('No readable answer')])
      expect(await buy(args)).toMatchObject({ code: 0 })
    })
    expect(sold).toEqual({ payments: 1, values: 3 })
  })

  test.each([
    ['beside the statement of another one', 'out.statement.json'],
    ['under the name of a file that has appeared', 'out.csv'],
  ])('a list that is continued %s, until that is moved away', async (_what, name) => {
    const args = ['iban', '--file', fileOf(ibans(3).join('\n')), '--out', out, '--batch', '1']
    expect(await buy([...args, '--max-spend', '0.002'])).toMatchObject({ code: 1 })
    const other = fileOf('{}', name)
    const { code, stderr } = await buy(args)
    expect([code, stderr.join(' ')]).toEqual([2, expect.stringContaining('move it away')])
    expect(readFileSync(other, 'utf8')).toBe('{}')
    rmSync(other)
    expect(await sales(() => buy(args))).toEqual({ payments: 1, values: 1 })
    expect(rowsIn(out)).toHaveLength(3)
  })

  test('an option of lists for one value', async () => {
    const { code, stderr } = await buy(['iban', 'DE1', '--out', out])
    expect([code, stderr[0]]).toEqual([2, expect.stringContaining('--out is for lists only')])
  })
})

test('a run that ends between its output and its statement is continued by the same command', async () => {
  const args = ['iban', '--file', fileOf(ibans(2).join('\n')), '--out', out]
  mkdirSync(join(scratch.path, 'out.statement.html'))
  const sold = await sales(async () => {
    const { code, stderr } = await buy(args)
    expect([code, stderr.join(' ')]).toEqual([1, expect.stringContaining('The same command continues')])
    expect(rowsIn(out)).toHaveLength(2)
    rmSync(join(scratch.path, 'out.statement.html'), { recursive: true })
    expect(await buy(args)).toMatchObject({ code: 0 })
  })
  expect(sold).toEqual({ payments: 1, values: 2 })
  expect(readdirSync(scratch.path).sort()).toEqual([
    'list.txt',
    'out.csv',
    'out.statement.html',
    'out.statement.json',
  ])
})

test('100,000 lines, in a heap of 64 MB', async () => {
  const values = Array.from({ length: 2_000 }, (_, seed) => validValue('pl-nip', seed))
  const file = fileOf(Array.from({ length: 100_000 }, (_, at) => `${at};${values[at % 2_000]}`).join('\n'))
  const args = ['pl-nip', '--file', file, '--column', '2', '--out', out, '--batch', '1000']
  const { code, stderr } = await outcomeOf(['--max-old-space-size=64', ...command(args, stage.service.url)], {
    env: environment(),
  })
  expect([code, stderr.at(-1)]).toEqual([0, `spent    ${new Set(values).size / 1_000} USDC`])
  expect(readFileSync(out, 'utf8').split('\r\n')).toHaveLength(100_001)
})
