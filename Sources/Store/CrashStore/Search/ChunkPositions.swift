/// Positions of reports in a ``SearchChunk``, in ascending order: numbers below its size, two bytes
/// each, so that those of a chunk stay in the processor's cache.
struct ChunkPositions: Sequence {
  private var positions: [UInt16] = []

  static let all = ChunkPositions(0..<SearchChunk.size)

  init() {}

  /// - Parameter positions: Positions below ``SearchChunk/size``.
  init(_ positions: some Sequence<Int>) {
    self.positions = positions.map { UInt16(truncatingIfNeeded: $0) }
  }

  var count: Int { positions.count }
  var isEmpty: Bool { positions.isEmpty }
  var underestimatedCount: Int { positions.count }

  mutating func append(_ position: Int) { positions.append(UInt16(truncatingIfNeeded: position)) }

  /// Filters without a branch per element: matches are scattered, and mispredicted branches cost more
  /// than writing elements that do not match.
  @inline(__always)
  func kept(_ fits: (Int) -> Bool) -> ChunkPositions {
    var rest = ChunkPositions()
    rest.positions = positions.withUnsafeBufferPointer { positions in
      [UInt16](unsafeUninitializedCapacity: positions.count) { kept, count in
        for position in positions {
          kept[count] = position
          count += fits(Int(position)) ? 1 : 0
        }
      }
    }
    return rest
  }

  /// A copy without spare capacity, for keeping.
  func trimmed() -> ChunkPositions { ChunkPositions(self) }

  struct Iterator: IteratorProtocol {
    fileprivate var positions: IndexingIterator<[UInt16]>

    @inline(__always)
    mutating func next() -> Int? { positions.next().map(Int.init) }
  }

  @inline(__always)
  func makeIterator() -> Iterator { Iterator(positions: positions.makeIterator()) }
}
