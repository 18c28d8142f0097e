# tern, a till: charges a basket in which a price is missing.
use strict;
use warnings;
use Carp qw(confess);

package Tern::Basket;

sub new { my ($class, @items) = @_; return bless {items => \@items}, $class }

sub total {
  my ($self) = @_;
  my $sum = 0;
  for my $item (@{$self->{items}}) {
    Carp::confess("no price: $item->{name}") unless exists $item->{price};
    $sum += $item->{price};
  }
  return $sum;
}

package main;

sub charge { my ($basket) = @_; return $basket->total }

charge(Tern::Basket->new({name => 'pen', price => 120}, {name => 'pencil'}));
