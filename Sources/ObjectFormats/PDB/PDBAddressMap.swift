internal import Bytes

/// Turns a section and an offset, as PDBs have them, into an address from the image base.
///
/// Tools that move code after linking leave a map from the addresses that the linker gave. Symbols and
/// lines keep the old sections; what lies in one piece there may lie in several now, or be gone.
///
///     OFFSET  SIZE  FIELD
///          0     4  from this old address on
///          4     4  the new address; 0 where the code is gone
///
/// Source: the section headers as in a PE file; Microsoft, imagehlp, OMAP.
package struct PDBAddressMap: Sendable {
  /// A move of the code from an old address on.
  private struct Move: Sendable {
    let old: UInt32
    let new: UInt32
  }

  private let starts: [UInt32]
  private let sizes: [UInt32]
  private let moves: [Move]

  init(sections: [PESection], moves view: ByteView) {
    starts = sections.map(\.address)
    sizes = sections.map(\.size)
    var moves: [Move] = []
    var reader = ByteReader(view.bytes, reading: "moved code")
    while reader.remaining >= 8, let old = try? reader.read(UInt32.self),
      let new = try? reader.read(UInt32.self)
    {
      moves.append(Move(old: old, new: new))
    }
    self.moves = moves.sorted { $0.old < $1.old }
  }

  package var isMoved: Bool { !moves.isEmpty }

  /// The address that the linker gave; `nil` outside the sections.
  ///
  /// - Parameter section: From 1.
  @inline(__always)
  package func linked(section: UInt16, offset: UInt32) -> UInt32? {
    let index = Int(section) - 1
    guard index >= 0, index < starts.count, offset <= sizes[index] else { return nil }
    let address = starts[index].addingReportingOverflow(offset)
    return address.overflow ? nil : address.partialValue
  }

  /// Where the code at an address of the linker is now; `nil` where it is gone.
  package func moved(_ address: UInt32) -> UInt32? {
    if moves.isEmpty { return address }
    guard let index = move(at: address) else { return nil }
    let move = moves[index]
    return move.new == 0 ? nil : move.new &+ (address &- move.old)
  }

  /// Where the code of a range of the linker's addresses is now, and from where each part came.
  package func moved(
    from start: UInt32, to end: UInt32, body: (_ start: UInt32, _ end: UInt32, _ old: UInt32) -> Void
  ) {
    guard end > start else { return }
    if moves.isEmpty {
      body(start, end, start)
      return
    }
    guard var index = move(at: start) else { return }
    var place = start
    while place < end, index < moves.count {
      let move = moves[index]
      index += 1
      let next = index < moves.count ? min(moves[index].old, end) : end
      guard next > place else { continue }
      if move.new != 0 {
        let new = move.new.addingReportingOverflow(place - move.old)
        let newEnd = new.partialValue.addingReportingOverflow(next - place)
        if !new.overflow, !newEnd.overflow { body(new.partialValue, newEnd.partialValue, place) }
      }
      place = next
    }
  }

  /// The last move at or before an address.
  private func move(at address: UInt32) -> Int? {
    var low = 0
    var high = moves.count
    while low < high {
      let middle = (low + high) / 2
      if moves[middle].old <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
