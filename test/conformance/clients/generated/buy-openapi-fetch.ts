import createClient from 'openapi-fetch'
import { pay, service } from './pay.ts'
import type { paths } from './schema.ts'

const client = createClient<paths>({ baseUrl: service, fetch: pay })
const one = await client.POST('/api/validate/iban', { body: { value: 'GB82 WEST 1234 5698 7654 32' } })
if (one.data === undefined) throw new Error(one.error.code)
const list = await client.POST('/api/validate/pl-nip/batch', { body: { values: ['526-025-02-74', 'x'] } })
if (list.data === undefined) throw new Error(list.error.code)
// No member of a verdict may be optional: these lines compile under strict rules.
const codes: string[] = [one.data, ...list.data.results].map(({ details }) => details.code)
const valid: number = list.data.valid + Number(one.data.valid)
console.log(JSON.stringify({ codes, valid }))
