internal import Glibc
internal import Synchronization

/// Large blocks that were given back while someone makes many tables one after the other: touching memory
/// for the first time costs more than filling it.
///
/// There are never more of them than were in use together: new tables begin with one as long as there are any.
struct BlockPool: ~Copyable {
  /// A block, or the rest of one.
  struct Piece {
    var address: UInt
    /// In bytes, a multiple of a large page.
    var size: Int
  }

  static let shared = Mutex(BlockPool())

  /// How many keep blocks at the moment; without any, none is kept.
  private var users = 0
  private var pieces: [Piece] = []

  mutating func begin() { users += 1 }

  /// - Returns: The blocks that are not kept any longer.
  mutating func end() -> [Piece] {
    users -= 1
    guard users == 0 else { return [] }
    defer { pieces = [] }
    return pieces
  }

  /// Keeps a block; false outside ``begin()`` and ``end()``.
  mutating func keep(_ piece: Piece) -> Bool {
    guard users > 0 else { return false }
    pieces.append(piece)
    return true
  }

  /// Gives out the smallest block that has `size` bytes, cut off there, or else the largest one.
  mutating func take(_ size: Int) -> Piece? {
    var best: Int?
    for index in pieces.indices {
      guard let other = best.map({ pieces[$0].size }) else {
        best = index
        continue
      }
      let own = pieces[index].size
      if own >= size ? other < size || own < other : own > other { best = index }
    }
    guard let best else { return nil }
    var piece = pieces[best]
    if piece.size <= size {
      pieces.remove(at: best)
    } else {
      pieces[best] = Piece(address: piece.address + UInt(size), size: piece.size - size)
      piece.size = size
    }
    return piece
  }
}

/// Memory of tables that is used again.
public enum RecycledMemory {
  /// Keeps the memory of large tables that are freed, for other tables, until ``end()``.
  public static func begin() { BlockPool.shared.withLock { $0.begin() } }

  /// Gives the memory back that is not in use, unless others keep it.
  public static func end() {
    for piece in BlockPool.shared.withLock({ $0.end() }) {
      unsafe munmap(UnsafeMutableRawPointer(bitPattern: piece.address), piece.size)
    }
  }
}
