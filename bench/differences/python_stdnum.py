"""Says of each value whether python-stdnum calls it valid: one JSON string per line in, "1" or "0" per line out.

Run as: python3 python_stdnum.py TYPE. With no type, prints the version of the library.
"""
import json
import sys

import stdnum
from stdnum import iban
from stdnum.eu import vat
from stdnum.pl import nip, pesel, regon

MODULES = {'iban': iban, 'eu-vat': vat, 'pl-nip': nip, 'pl-regon': regon, 'pl-pesel': pesel}

if len(sys.argv) < 2:
    print(stdnum.__version__)
else:
    is_valid = MODULES[sys.argv[1]].is_valid
    for line in sys.stdin:
        sys.stdout.write('1\n' if is_valid(json.loads(line)) else '0\n')
