import type { SkillRegistry } from '../../catalog/skill.ts'
import type { Source } from '../../files/source.ts'
import type { Listing } from '../../payments/terms/listing.ts'
import type { Offers } from '../../payments/terms/rest-offer.ts'

/** What the operator says of itself; null without the setting. */
export interface OperatorFacts {
  readonly operatorName: string | null
  readonly contactEmail: string | null
  readonly supportUrl: string | null
  readonly termsUrl: string | null
}

/** What is published of the service on every surface; constant from start to stop. */
export interface ServiceFacts extends Offers {
  readonly version: string
  /** Marks every page and document if the money is not real, e.g. "SANDBOX"; null if it is. */
  readonly mark: string | null
  readonly skills: SkillRegistry
  readonly listing: Listing
  readonly operator: OperatorFacts
  readonly source: Source | null
}
