/// The stacks of an index that may be similar to a given one, found by the lists that they share with it.
public struct Candidates<ID: Hashable & Comparable> {
  /// The most entries of a list that are read.
  public static var listDepth: Int { 256 }
  /// The most stacks that are compared to link keys.
  public static var limit: Int { 64 }

  private var weights: [ID: UInt64] = [:]

  public init() {}

  /// Adds the entries of a list.
  ///
  /// - Parameter weight: The list's weight, as of ``StackFeatures/lists``.
  public mutating func add(_ ids: some Sequence<ID>, weight: UInt64) {
    for id in ids.prefix(Self.listDepth) { weights[id, default: 0] += weight }
  }

  /// The stacks that share the most weight with the given one; ties go to the smallest ids.
  public func best(atMost limit: Int = limit) -> [ID] {
    let ranked = weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return ranked.prefix(limit).map(\.key)
  }
}
