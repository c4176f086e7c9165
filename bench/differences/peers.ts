/** The well-known libraries that say of a value whether it is valid, each asked as its documentation says. */
import type { CheckType } from '../../src/checks/verdict.ts'
import { loadPeers } from '../peers/load.ts'

/** Null where the library does not know the kind of value at all. */
export type Judge = (value: string) => boolean | null

const prefixOf = (value: string) => value.trim().slice(0, 2).toUpperCase()

/** The peers of each type by name, if it has any; they come from the package in `bench/peers`. */
export function peersOf(): Readonly<Partial<Record<CheckType, Readonly<Record<string, Judge>>>>> {
  const libraries = loadPeers()
  const { validator, ibantools, iban, fastIban, jsvat, stdnum } = libraries
  const { polish, validatePolish, address, valibot, valibotEmail } = libraries

  const countries = Object.values(jsvat).filter(
    (each) => typeof each === 'object' && each !== null && 'codes' in each,
  )
  const electronic = (value: string) => ibantools.electronicFormatIBAN(value) ?? value

  return {
    iban: {
      validator: (value) => validator.isIBAN(value),
      ibantools: (value) => ibantools.isValidIBAN(electronic(value)),
      'iban.js': (value) => iban.isValid(value),
      'fast-iban': (value) => fastIban.validateIBAN(value),
      'polish-validators': (value) => polish.isIbanValid(value),
    },
    'eu-vat': {
      validator: (value) => known(() => validator.isVAT(value, prefixOf(value))),
      jsvat: (value) => jsvat.checkVAT(value, countries).isValid,
    },
    'pl-nip': {
      'polish-validators': (value) => polish.isNipValid(value),
      'validate-polish': (value) => validatePolish.nip(value),
      validator: (value) => validator.isVAT(value, 'PL'),
      stdnum: (value) => stdnum.PL.nip.validate(value).isValid,
      jsvat: (value) => jsvat.checkVAT(`PL${value}`, [jsvat.poland]).isValid,
    },
    'pl-regon': {
      'polish-validators': (value) => polish.isRegonValid(value),
      'validate-polish': (value) => validatePolish.regon(value),
      stdnum: (value) => stdnum.PL.regon.validate(value).isValid,
    },
    'pl-pesel': {
      'polish-validators': (value) => polish.isPeselValid(value),
      'validate-polish': (value) => validatePolish.pesel(value),
      'validator isIdentityCard': (value) => validator.isIdentityCard(value, 'PL'),
      'validator isTaxID': (value) => validator.isTaxID(value, 'pl-PL'),
      stdnum: (value) => stdnum.PL.pesel.validate(value).isValid,
    },
    email: {
      validator: (value) => validator.isEmail(value),
      valibot: (value) => valibot.is(valibotEmail, value),
      '@hapi/address': (value) => address.isEmailValid(value),
    },
  }
}

function known(judge: () => boolean): boolean | null {
  try {
    return judge()
  } catch {
    return null
  }
}
