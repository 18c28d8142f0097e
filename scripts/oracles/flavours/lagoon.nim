# A small program of a language that is compiled to C, with its own names for lines and files.
import std/[algorithm, sequtils, strutils, tables]

type
  Vessel = ref object of RootObj
    berths: seq[int]
  Barge = ref object of Vessel
    load: int

proc rise(level: int): int {.inline.} = level * 7 + 3

method draught(vessel: Vessel): int {.base.} = vessel.berths.len

method draught(barge: Barge): int =
  for berth in barge.berths:
    result += rise(berth) * barge.load

template twice(value: untyped): untyped = value + value

proc pick[T](list: seq[T], least: T): seq[T] =
  for item in list:
    if item >= least: result.add item

proc run(count: int): int =
  var fleet = initTable[string, Vessel]()
  for i in 0 ..< count:
    fleet["barge " & $i] = Barge(berths: toSeq(i .. i + 3), load: i)
  let names = toSeq(fleet.keys).sorted(cmp)
  for name in pick(names, "b"):
    result += twice(fleet[name].draught)
  try:
    result += parseInt(names[0])
  except ValueError as problem:
    echo problem.msg

echo run(9)
