import { editDistance } from '../../values/edit-distance.ts'
import type { NonEmpty } from '../../values/non-empty.ts'
import { BASE } from './base.ts'
import { BASE_SEPOLIA } from './base-sepolia.ts'
import type { Network } from './network.ts'

/** The networks of live mode, the default first. */
export const NETWORKS: NonEmpty<Network> = [BASE, BASE_SEPOLIA]

/** The sandbox has the id of Base. Throws for an unknown id. */
export function networkOf(id: string): Network {
  const network = NETWORKS.find((each) => each.id === id)
  if (network === undefined) throw new Error('a network that is not in the table')
  return network
}

/** For an unknown name, a sentence for the operator, which proposes the network with a similar name, title or id. */
export function networkNamed(input: string): Network | string {
  const known = NETWORKS.find(({ name }) => name === input)
  if (known !== undefined) return known
  const near = NETWORKS.map(({ name, title, id }) => ({
    name,
    mistakes: Math.min(
      ...[name, title, id].map((each) => editDistance(each.toLowerCase(), input.toLowerCase())),
    ),
  })).toSorted((a, b) => a.mistakes - b.mistakes)[0]
  const isNear = near !== undefined && near.mistakes * 2 < Math.max(near.name.length, input.length)
  const names = NETWORKS.map(({ name }) => name).join(', ')
  return `must be one of ${names}${isNear ? `; did you mean ${near.name}?` : ''}`
}

export function titleOf(id: string): string {
  const { title, isRealMoney } = networkOf(id)
  return isRealMoney ? title : `${title} (test money)`
}

/** Throws unless these networks may share a service and its store. */
export function refuseMixed(networks: readonly Network[]): void {
  if (new Set(networks.map(({ isRealMoney }) => isRealMoney)).size > 1)
    throw new Error('real money and test money never mix')
  if (new Set(networks.map(({ id }) => id)).size < networks.length)
    throw new Error('a network is named twice')
}

export const [DEFAULT_NETWORK] = NETWORKS
