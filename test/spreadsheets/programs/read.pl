# Reads workbooks with Spreadsheet::ParseXLSX: their paths as JSON on standard input, their sheets on standard output.
use strict;
use warnings;
use JSON::PP;
use Spreadsheet::ParseXLSX;

my $json = JSON::PP->new->utf8->allow_nonref;
my @read;
for my $path (@{ $json->decode(do { local $/; <STDIN> }) }) {
  my @sheets;
  my $book = eval { Spreadsheet::ParseXLSX->new->parse($path) };
  if (!defined $book) { warn "$path: $@"; push @read, undef; next }
  for my $sheet ($book->worksheets) {
    my (undef, $bottom) = $sheet->row_range;
    my (undef, $right) = $sheet->col_range;
    my @rows;
    for my $row (0 .. $bottom) {
      push @rows, [map { my $cell = $sheet->get_cell($row, $_); defined $cell ? $cell->unformatted : '' } 0 .. $right];
    }
    push @sheets, \@rows;
  }
  push @read, \@sheets;
}
print $json->encode(\@read);
