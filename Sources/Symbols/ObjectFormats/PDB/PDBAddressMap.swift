internal import Bytes

/// Converts a section and an offset, as used in PDBs, into an address from the image base.
///
/// Tools that move code after linking leave a map from each address of the program to the address where the
/// linker had put that code. Symbols and lines keep the linker's sections and addresses; a single range there
/// may now be split into several, or removed.
///
///     OFFSET  SIZE  FIELD
///          0     4  from this address on, up to the next entry's
///          4     4  the linker's address; 0, or one with the highest bit, for code that it did not know
///
/// Source: the section headers as in a PE file; OMAP in Microsoft's imagehlp.h, `OmapToSrc` in LLVM's
/// DbgHeaderType.
package struct PDBAddressMap: Sendable {
  /// A block of code that was moved as a whole.
  private struct Block: Sendable {
    /// The current address.
    let start: UInt32
    /// The linker's address.
    let linked: UInt32
    let size: UInt32

    var linkedEnd: UInt64 { UInt64(linked) + UInt64(size) }
  }

  /// The most blocks examined for one address.
  private static let blockLimit = 64

  private let starts: [UInt32]
  private let sizes: [UInt32]
  /// Sorted by the linker's addresses.
  private let blocks: [Block]
  /// For each block the largest linked end up to it.
  private let reach: [UInt64]

  init(sections: [PESection], moves view: ByteView) {
    starts = sections.map(\.address)
    sizes = sections.map(\.size)
    var moves: [(start: UInt32, linked: UInt32)] = []
    var reader = ByteReader(view.bytes, reading: "moved code")
    while reader.remaining >= 8, let start = try? reader.read(UInt32.self),
      let linked = try? reader.read(UInt32.self)
    {
      moves.append((start, linked))
    }
    moves.sort { $0.start < $1.start }
    var blocks: [Block] = []
    for (index, move) in moves.enumerated() where move.linked != 0 && move.linked < 1 << 31 {
      // The last entry marks the end of the program.
      guard index + 1 < moves.count else { break }
      blocks.append(
        Block(start: move.start, linked: move.linked, size: moves[index + 1].start - move.start))
    }
    blocks.sort { ($0.linked, $0.start) < ($1.linked, $1.start) }
    var reach: [UInt64] = []
    for block in blocks { reach.append(max(reach.last ?? 0, block.linkedEnd)) }
    self.blocks = blocks
    self.reach = reach
    isMoved = !moves.isEmpty
  }

  package let isMoved: Bool

  /// The linker's address; `nil` outside the sections.
  ///
  /// - Parameter section: From 1.
  package func linked(section: UInt16, offset: UInt32) -> UInt32? {
    let index = Int(section) - 1
    guard index >= 0, index < starts.count, offset <= sizes[index] else { return nil }
    let address = starts[index].addingReportingOverflow(offset)
    return address.overflow ? nil : address.partialValue
  }

  /// The current address of the code at a linker's address; `nil` where it was removed.
  package func moved(_ address: UInt32) -> UInt32? {
    guard isMoved else { return address }
    var least: UInt32?
    guard address < UInt32.max else { return nil }
    var budget = Self.blockLimit
    moved(from: address, to: address + 1, budget: &budget) { start, _ in
      least = min(least ?? start, start)
    }
    return least
  }

  /// The current addresses of the code in a range of the linker's addresses.
  ///
  /// - Parameter budget: How many more blocks may be examined.
  package func moved(
    from start: UInt32, to end: UInt32, budget: inout Int,
    body: (_ start: UInt32, _ end: UInt32) -> Void
  ) {
    guard end > start else { return }
    guard isMoved else {
      body(start, end)
      return
    }
    let low = blocks.lowerBound { $0.linked < end }
    var index = low
    while index > 0, reach[index - 1] > UInt64(start), budget > 0 {
      index -= 1
      budget -= 1
      let block = blocks[index]
      guard block.linkedEnd > UInt64(start), block.size > 0 else { continue }
      let first = max(block.linked, start)
      let size = min(block.linkedEnd, UInt64(end)) - UInt64(first)
      let address = UInt64(block.start) + UInt64(first - block.linked)
      guard let from = UInt32(exactly: address), let to = UInt32(exactly: address + size) else {
        continue
      }
      body(from, to)
    }
  }
}
