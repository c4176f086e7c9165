/**
 * What was bought of a long list, so that a reload does not lose it. A part of a list is kept under the hash of its values,
 * never the values; with the same file chosen again, the list goes on where it stopped.
 */

/** @typedef {{ header?: string, payer?: string, nonce?: string, answer?: any, at: number }} Kept a signed payment, or its answer */

const NAME = 'format-checker-lists'
const DAY_MS = 86_400_000

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T | undefined>} undefined where the browser keeps nothing
 */
const inStore = (mode, act) =>
  new Promise((resolve) => {
    const opening = indexedDB.open(NAME, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('parts')
    opening.onerror = () => resolve(undefined)
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction('parts', mode)
      const request = act(transaction.objectStore('parts'))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => resolve(undefined)
      transaction.addEventListener('complete', () => database.close())
    }
  })

/**
 * @param {string} endpoint
 * @param {string} body
 */
export async function partKey(endpoint, body) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${endpoint}\n${body}`))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * What is known of a part that is younger than a day.
 *
 * @param {string} key
 * @returns {Promise<Kept | undefined>}
 */
export async function findPart(key) {
  const kept = /** @type {Kept | undefined} */ (await inStore('readonly', (store) => store.get(key)))
  return kept !== undefined && Date.now() - kept.at < DAY_MS ? kept : undefined
}

/**
 * @param {string} key
 * @param {Omit<Kept, 'at'>} kept
 */
export const keepPart = (key, kept) =>
  inStore('readwrite', (store) => store.put({ ...kept, at: Date.now() }, key))

/** Once the results are saved as a file. */
export const forgetParts = () => inStore('readwrite', (store) => store.clear())
