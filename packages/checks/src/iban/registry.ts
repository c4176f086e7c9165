/**
 * The IBAN registry as data: one row per country that issues IBANs.
 *
 * Source: SWIFT IBAN Registry: code, BBAN structure, position of the bank and branch identifiers. Positions are 1-based
 * and inclusive within the BBAN, as the registry prints them. The branch of FR (code guichet) and PT, which the registry
 * describes only through the structure, and the national check digits, which it does not mark, follow the structures
 * and the national standards behind them.
 */

/** The release of the registry in force; every published text takes it from here or is held to it by a test. */
export const IBAN_RELEASE = 103

export type RegistryRow = readonly [
  code: string,
  name: string,
  structure: string,
  bank: string,
  branch: string,
  check: string,
]

export const IBAN_REGISTRY: readonly RegistryRow[] = [
  ['AD', 'Andorra', '4!n4!n12!c', '1-4', '5-8', ''],
  ['AE', 'United Arab Emirates', '3!n16!n', '1-3', '', ''],
  ['AL', 'Albania', '8!n16!c', '1-3', '4-8', ''],
  ['AT', 'Austria', '5!n11!n', '1-5', '', ''],
  ['AZ', 'Azerbaijan', '4!a20!c', '1-4', '', ''],
  ['BA', 'Bosnia and Herzegovina', '3!n3!n8!n2!n', '1-3', '4-6', '15-16'],
  ['BE', 'Belgium', '3!n7!n2!n', '1-3', '', '11-12'],
  ['BG', 'Bulgaria', '4!a4!n2!n8!c', '1-4', '5-8', ''],
  ['BH', 'Bahrain', '4!a14!c', '1-4', '', ''],
  ['BI', 'Burundi', '5!n5!n11!n2!n', '1-5', '6-10', '22-23'],
  ['BR', 'Brazil', '8!c5!n10!n1!c1!c', '1-8', '9-13', ''],
  ['BY', 'Belarus', '4!c4!n16!c', '1-4', '', ''],
  ['CH', 'Switzerland', '5!n12!c', '1-5', '', ''],
  ['CR', 'Costa Rica', '4!n14!n', '1-4', '', ''],
  ['CY', 'Cyprus', '3!n5!n16!c', '1-3', '4-8', ''],
  ['CZ', 'Czechia', '4!n16!n', '1-4', '', ''],
  ['DE', 'Germany', '8!n10!n', '1-8', '', ''],
  ['DJ', 'Djibouti', '5!n5!n11!n2!n', '1-5', '6-10', '22-23'],
  ['DK', 'Denmark', '4!n9!n1!n', '1-4', '', '14'],
  ['DO', 'Dominican Republic', '4!c20!n', '1-4', '', ''],
  ['EE', 'Estonia', '2!n14!n', '1-2', '', '16'],
  ['EG', 'Egypt', '4!n4!n17!n', '1-4', '5-8', ''],
  ['ES', 'Spain', '4!n4!n1!n1!n10!n', '1-4', '5-8', '9-10'],
  ['FI', 'Finland', '3!n11!n', '1-3', '', '14'],
  ['FK', 'Falkland Islands', '2!a12!n', '1-2', '', ''],
  ['FO', 'Faroe Islands', '4!n9!n1!n', '1-4', '', '14'],
  ['FR', 'France', '5!n5!n11!c2!n', '1-5', '6-10', '22-23'],
  ['GB', 'United Kingdom', '4!a6!n8!n', '1-4', '5-10', ''],
  ['GE', 'Georgia', '2!a16!n', '1-2', '', ''],
  ['GI', 'Gibraltar', '4!a15!c', '1-4', '', ''],
  ['GL', 'Greenland', '4!n9!n1!n', '1-4', '', '14'],
  ['GR', 'Greece', '3!n4!n16!c', '1-3', '4-7', ''],
  ['GT', 'Guatemala', '4!c20!c', '1-4', '', ''],
  ['HN', 'Honduras', '4!a20!n', '1-4', '', ''],
  ['HR', 'Croatia', '7!n10!n', '1-7', '', ''],
  ['HU', 'Hungary', '3!n4!n1!n15!n1!n', '1-3', '4-7', '8,24'],
  ['IE', 'Ireland', '4!a6!n8!n', '1-4', '5-10', ''],
  ['IL', 'Israel', '3!n3!n13!n', '1-3', '4-6', ''],
  ['IQ', 'Iraq', '4!a3!n12!n', '1-4', '5-7', ''],
  ['IS', 'Iceland', '4!n2!n6!n10!n', '1-2', '3-4', ''],
  ['IT', 'Italy', '1!a5!n5!n12!c', '2-6', '7-11', '1'],
  ['JO', 'Jordan', '4!a4!n18!c', '1-4', '5-8', ''],
  ['KW', 'Kuwait', '4!a22!c', '1-4', '', ''],
  ['KZ', 'Kazakhstan', '3!n13!c', '1-3', '', ''],
  ['LB', 'Lebanon', '4!n20!c', '1-4', '', ''],
  ['LC', 'Saint Lucia', '4!a24!c', '1-4', '', ''],
  ['LI', 'Liechtenstein', '5!n12!c', '1-5', '', ''],
  ['LT', 'Lithuania', '5!n11!n', '1-5', '', ''],
  ['LU', 'Luxembourg', '3!n13!c', '1-3', '', ''],
  ['LV', 'Latvia', '4!a13!c', '1-4', '', ''],
  ['LY', 'Libya', '3!n3!n15!n', '1-3', '4-6', ''],
  ['MC', 'Monaco', '5!n5!n11!c2!n', '1-5', '6-10', '22-23'],
  ['MD', 'Moldova', '2!c18!c', '1-2', '', ''],
  ['ME', 'Montenegro', '3!n13!n2!n', '1-3', '', '17-18'],
  ['MK', 'North Macedonia', '3!n10!c2!n', '1-3', '', '14-15'],
  ['MN', 'Mongolia', '4!n12!n', '1-4', '', ''],
  ['MR', 'Mauritania', '5!n5!n11!n2!n', '1-5', '6-10', '22-23'],
  ['MT', 'Malta', '4!a5!n18!c', '1-4', '5-9', ''],
  ['MU', 'Mauritius', '4!a2!n2!n12!n3!n3!a', '1-6', '7-8', ''],
  ['NI', 'Nicaragua', '4!a20!n', '1-4', '', ''],
  ['NL', 'Netherlands', '4!a10!n', '1-4', '', ''],
  ['NO', 'Norway', '4!n6!n1!n', '1-4', '', '11'],
  ['OM', 'Oman', '3!n16!c', '1-3', '', ''],
  ['PK', 'Pakistan', '4!a16!c', '1-4', '', ''],
  ['PL', 'Poland', '8!n16!n', '1-8', '', ''],
  ['PS', 'Palestine', '4!a21!c', '1-4', '', ''],
  ['PT', 'Portugal', '4!n4!n11!n2!n', '1-4', '5-8', '20-21'],
  ['QA', 'Qatar', '4!a21!c', '1-4', '', ''],
  ['RO', 'Romania', '4!a16!c', '1-4', '', ''],
  ['RS', 'Serbia', '3!n13!n2!n', '1-3', '', '17-18'],
  ['RU', 'Russia', '9!n5!n15!c', '1-9', '10-14', ''],
  ['SA', 'Saudi Arabia', '2!n18!c', '1-2', '', ''],
  ['SC', 'Seychelles', '4!a2!n2!n16!n3!a', '1-6', '7-8', ''],
  ['SD', 'Sudan', '2!n12!n', '1-2', '', ''],
  ['SE', 'Sweden', '3!n16!n1!n', '1-3', '', '20'],
  ['SI', 'Slovenia', '5!n8!n2!n', '1-5', '', '14-15'],
  ['SK', 'Slovakia', '4!n6!n10!n', '1-4', '', ''],
  ['SM', 'San Marino', '1!a5!n5!n12!c', '2-6', '7-11', '1'],
  ['SO', 'Somalia', '4!n3!n12!n', '1-4', '5-7', ''],
  ['ST', 'Sao Tome and Principe', '4!n4!n11!n2!n', '1-4', '5-8', '20-21'],
  ['SV', 'El Salvador', '4!a20!n', '1-4', '', ''],
  ['TL', 'Timor-Leste', '3!n14!n2!n', '1-3', '', '18-19'],
  ['TN', 'Tunisia', '2!n3!n13!n2!n', '1-2', '3-5', '19-20'],
  ['TR', 'Turkiye', '5!n1!n16!c', '1-5', '', ''],
  ['UA', 'Ukraine', '6!n19!c', '1-6', '', ''],
  ['VA', 'Vatican City', '3!n15!n', '1-3', '', ''],
  ['VG', 'British Virgin Islands', '4!a16!n', '1-4', '', ''],
  ['XK', 'Kosovo', '4!n10!n2!n', '1-2', '3-4', '15-16'],
  ['YE', 'Yemen', '4!a4!n18!c', '1-4', '5-8', ''],
]

/**
 * Countries and territories whose IBANs take part in the SEPA schemes, by IBAN prefix.
 *
 * Source: European Payments Council, EPC409-09 version 8.0 (24 December 2025). The registry's own column lags behind
 * it (AL, MD, ME, MK and RS). FO and GL share Denmark's structure and are not in SEPA.
 */
export const SEPA_PREFIXES: ReadonlySet<string> = new Set(
  (
    'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS ' +
    'SE SI SK SM VA'
  ).split(' '),
)

/** Codes that other standards use for a country, and its code in the registry. */
export const CONFUSED_PREFIXES: ReadonlyMap<string, 'GB' | 'GR'> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
])

/** Territories that use their parent's IBAN prefix (registry, "country code includes other countries/territories"). */
export const PARENT_PREFIXES: ReadonlyMap<string, 'FR' | 'GB' | 'FI'> = new Map([
  ...'GF GP MQ RE PF TF YT NC BL MF PM WF'.split(' ').map((code) => [code, 'FR'] as const),
  ...'IM JE GG'.split(' ').map((code) => [code, 'GB'] as const),
  ['AX', 'FI'] as const,
])

/**
 * Prefixes whose accounts are partly outside SEPA: New Caledonia, French Polynesia and Wallis and Futuna share FR. No
 * public list assigns bank codes to territories, so the IBAN never tells.
 */
export const SEPA_BY_TERRITORY: ReadonlySet<string> = new Set(['FR'])

/**
 * Members of the European Economic Area, by IBAN prefix; payers in other countries must give their address.
 *
 * Source: Agreement on the European Economic Area, article 126, with the enlargements of the European Union. FR is left out: New
 * Caledonia, French Polynesia and others outside the area have banks of their own with that prefix.
 */
export const EEA_PREFIXES: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)
export const EEA_BY_TERRITORY: ReadonlySet<string> = new Set(['FR'])

/** Countries with a de facto account format in IBAN shape that was never registered with SWIFT. */
export const UNOFFICIAL_PREFIXES: ReadonlySet<string> = new Set(
  'DZ AO BJ BF CM CV CF TD KM CG GQ GA GW IR CI MG ML MA MZ NE SN TG'.split(' '),
)

/**
 * Countries whose results show two characters of the account, because they may name its bank; those of the others show four. A
 * country may be here whether or not this number's bank is listed, so that the mask tells nothing of the list.
 * `packages/checks/test/values-left.test.ts` counts the accounts that a result leaves.
 */
export const TWO_SHOWN: ReadonlySet<string> = new Set(['AT', 'CH', 'CZ', 'DE', 'LI', 'SK'])
