import { validateIban, validatePlNipBatch } from './orval.ts'
import { pay } from './pay.ts'

globalThis.fetch = pay
const one = await validateIban({ value: 'GB82 WEST 1234 5698 7654 32' })
if (one.status !== 200) throw new Error(one.data.code)
const list = await validatePlNipBatch({ values: ['526-025-02-74', 'x'] })
if (list.status !== 200) throw new Error(list.data.code)
const codes: string[] = [one.data, ...list.data.results].map(({ details }) => details.code)
const valid: number = list.data.valid + Number(one.data.valid)
console.log(JSON.stringify({ codes, valid }))
