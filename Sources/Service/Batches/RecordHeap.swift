/// Several sorted sources; the one whose next element comes first is at hand.
package struct RecordHeap<Source> {
  private var sources: [Source] = []
  private let precedes: (Source, Source) -> Bool

  package init(_ sources: [Source], precedes: @escaping (Source, Source) -> Bool) {
    self.sources = sources
    self.precedes = precedes
    for index in stride(from: sources.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  package var isEmpty: Bool { sources.isEmpty }

  /// Takes the first element of the first source.
  ///
  /// - Parameter body: Takes it, and says whether the source has another.
  package mutating func take<Result, Failure: Error>(
    _ body: (inout Source) throws(Failure) -> (result: Result, hasMore: Bool)
  ) throws(Failure) -> Result {
    let (result, hasMore) = try body(&sources[0])
    if !hasMore {
      let last = sources.removeLast()
      if !sources.isEmpty { sources[0] = last }
    }
    if !sources.isEmpty { sink(0) }
    return result
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < sources.count && precedes(sources[child], sources[first]) {
        first = child
      }
      guard first != index else { return }
      sources.swapAt(first, index)
      index = first
    }
  }
}
