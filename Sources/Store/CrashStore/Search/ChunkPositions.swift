/// Positions of reports in a ``SearchChunk``, in ascending order: numbers below its size, two bytes
/// each, so that those of a chunk stay in the processor's cache.
struct ChunkPositions: Sequence {
  private var places: [UInt16] = []

  static let all = ChunkPositions(0..<SearchChunk.size)

  init() {}

  /// - Parameter places: Positions below ``SearchChunk/size``.
  init(_ places: some Sequence<Int>) { self.places = places.map { UInt16(truncatingIfNeeded: $0) } }

  var count: Int { places.count }
  var isEmpty: Bool { places.isEmpty }
  var underestimatedCount: Int { places.count }

  mutating func append(_ place: Int) { places.append(UInt16(truncatingIfNeeded: place)) }

  /// Filters without a branch per element: matches are scattered, and mispredicted branches cost more
  /// than writing elements that do not match.
  @inline(__always)
  func kept(_ fits: (Int) -> Bool) -> ChunkPositions {
    var rest = ChunkPositions()
    rest.places = places.withUnsafeBufferPointer { places in
      [UInt16](unsafeUninitializedCapacity: places.count) { kept, count in
        for place in places {
          kept[count] = place
          count += fits(Int(place)) ? 1 : 0
        }
      }
    }
    return rest
  }

  /// A copy without spare capacity, for keeping.
  func trimmed() -> ChunkPositions { ChunkPositions(self) }

  struct Iterator: IteratorProtocol {
    fileprivate var places: IndexingIterator<[UInt16]>

    @inline(__always)
    mutating func next() -> Int? { places.next().map(Int.init) }
  }

  @inline(__always)
  func makeIterator() -> Iterator { Iterator(places: places.makeIterator()) }
}
