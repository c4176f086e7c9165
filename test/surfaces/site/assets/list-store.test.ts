import { afterEach, expect, it, vi } from 'vitest'
import { asset } from './asset.ts'

const { findPart, keepPart } = await asset<{
  findPart(key: string): Promise<object | undefined>
  keepPart(key: string, kept: object): Promise<unknown>
}>('list-store.js')

afterEach(() => vi.unstubAllGlobals())

it('where the browser lets a page store nothing, nothing is kept, and nothing fails', async () => {
  const open = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  vi.stubGlobal('indexedDB', { open })
  expect(await keepPart('key', { answer: {} })).toBeUndefined()
  expect(await findPart('key')).toBeUndefined()
})
