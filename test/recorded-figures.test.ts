/** Figures in prose come from the file of the benchmark; a page with a typed one fails. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptTable, wayTable } from '../scripts/gas-doc.ts'
import { FIGURES, RECORDED, withFigures } from '../scripts/recorded-figures.ts'
import { ROOT } from './support/command.ts'

/** A figure typed by hand differs from the file's by less than this share, after the next measurement too. */
const NEAR = 0.02

const bare = (text: string) => Number(text.replaceAll(',', ''))
const gasFigures = Object.entries(FIGURES)
  .filter(([name, text]) => name.startsWith('gas') && /^[\d,]+$/.test(text))
  .map(([, text]) => bare(text))

/** What a person wrote: without generated parts, marked figures and code. */
const typed = (page: string) =>
  page
    .replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g, '')
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/<!--=\w+-->[^<]*<!--\/-->/g, '')

/** Numbers that a page types and the file has: gas in a sentence about gas, and the others with their unit. */
function typedFigures(page: string): readonly string[] {
  const sentences = typed(page)
    .split(/(?<=[.;:]) |\n(?=\|)|\n\n/)
    .map((sentence) => sentence.replaceAll('\n', ' '))
  const about = (words: RegExp) => sentences.filter((sentence) => words.test(sentence))
  const gas = about(/\bgas\b/i)
    .flatMap((sentence) => sentence.match(/\b\d{1,3}(?:,\d{3})+\b|\b\d{3}(?= gas| a call)/g) ?? [])
    .filter((number) => gasFigures.some((figure) => Math.abs(bare(number) / figure - 1) < NEAR))
  const others = [FIGURES.memory, FIGURES.memoryStart].flatMap((figure) =>
    about(/resident|memory usage/i).filter((sentence) => sentence.includes(`${figure} MB`)),
  )
  return [...gas, ...others]
}

test('finds what was typed by hand', () => {
  expect(typedFigures('It costs 69,287 gas a call, beside 541 gas.')).toEqual(['69,287', '541'])
  expect(typedFigures('| gas | 68,293 a transfer |')).toEqual(['68,293'])
  expect(typedFigures(`${FIGURES.memory} MB resident.`)).toHaveLength(1)
  expect(typedFigures('It costs <!--=gas-->69,264<!--/--> gas, in 45,000 rows.')).toEqual([])
})

test('no page types a figure that the file has', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT })
  const found = pages
    .filter((path) => path !== 'CHANGELOG.md')
    .map((path) => [path, typedFigures(readFileSync(join(ROOT, path), 'utf8'))] as const)
    .filter(([, figures]) => figures.length > 0)
  expect(pages.length).toBeGreaterThan(40)
  expect(found).toEqual([])
})

test('every figure is used, and a page that names an unknown one is refused', () => {
  const pages = globSync('docs/**/*.md', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))
  for (const name of Object.keys(FIGURES)) expect(pages.join(''), name).toContain(`<!--=${name}-->`)
  expect(Object.values(FIGURES).join()).not.toMatch(/NaN/)
  expect(() => withFigures('<!--=no-->1<!--/-->')).toThrow('no figure is called no')
})

test('each row has its day, revision and machine', () => {
  for (const { id, at, revision, machine } of RECORDED.rows) {
    expect(at, id).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(revision, id).toMatch(/^[\da-f]{8}$/)
    expect(machine, id).toMatch(/^Node \d+\.\d+\.\d+, \d+ x .+, \d+ GiB$/)
  }
})

test('what is left of the price is computed from the gas', () => {
  // 69,264 gas at 0.001 gwei and an ether of 4,200 dollars cost 0.000291 dollars of 0.001.
  expect(keptTable()).toContain('| own, single | 70.9 % | -45.5 % | -481.8 % |')
  // Deposit, claim and payout are 250,306 gas: at 0.005 gwei 0.00526 dollars of 0.1, and of 1.
  expect(keptTable()).toContain('| own, channel of 100 | 98.9 % | 94.7 % | 79 % |')
  expect(keptTable()).toContain('| own, channel of 1,000 | 99.9 % | 99.5 % | 97.9 % |')
  // 85,978 more for a refund.
  expect(wayTable()).toContain('| own, channel of 1,000, refund | 336 | 99.9 % | 99.6 % | 98.3 % |')
})

test('a hosted facilitator takes its fee for each transaction, at any price of gas', () => {
  const rows = wayTable().split('\n')
  const hosted = rows.filter((row) => row.startsWith('| hosted')).map((row) => row.split(' | '))
  expect(
    hosted.map(([name, , ...cells]) => [name, ...new Set(cells.map((cell) => cell.replace(' |', '')))]),
  ).toEqual([
    ['| hosted, single', '0 %'],
    ['| hosted, list of 100', '99 %'],
    ['| hosted, channel of 100', '97 %'],
    ['| hosted, channel of 100, refund', '96 %'],
    ['| hosted, channel of 1,000', '99.7 %'],
    ['| hosted, channel of 1,000, refund', '99.6 %'],
  ])
})
