internal import Bytes
internal import ObjectFormats

/// The table of functions with frames in a Windows program.
enum ExceptionFunctions {
  /// Hands the rules of all functions of `object` to `builder`; one that is not a 64-bit Windows
  /// program has none.
  ///
  /// - Throws: ``ParseError`` for a table that is not in the file.
  static func read(
    _ object: ObjectFile, into builder: inout UnwindBuilder, rank: UInt32
  ) throws(ParseError) {
    guard let tableRange = object.pe?.exceptionTable else { return }
    let family = UnwindRegisters.family(of: object.architecture)
    guard family == .x86_64 || family == .arm64 else { return }
    let image = LoadedSections(object)
    let table = try image.bytes(
      at: tableRange.lowerBound, count: tableRange.count, of: "function table")
    var leaf: EpilogueSimulator
    if family == .x86_64 {
      X64FunctionTable(image: image).read(table, into: &builder, rank: rank)
      leaf = EpilogueSimulator(stackPointer: 7, returnAddressRegister: 16)
      leaf.restore(16, at: 0)
      leaf.free(8)
    } else {
      ARM64FunctionTable(image: image).read(table, into: &builder, rank: rank)
      leaf = EpilogueSimulator(stackPointer: 31, returnAddressRegister: 30)
    }
    // Code without an entry has no frame.
    for range in object.executableRanges where range.lowerBound >= object.imageBase {
      guard let start = UInt32(exactly: range.lowerBound - object.imageBase),
        let end = UInt32(exactly: range.upperBound - object.imageBase)
      else { continue }
      try leaf.setRules(in: &builder)
      builder.open(start, end, rank: rank + 1)
      try builder.addRow(start)
      builder.close()
    }
  }
}
