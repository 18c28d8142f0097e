/// Groups of keys, some of them linked by likeness.
public enum LinkedKeys {
  /// For each key, the one that names its group: keys that `KeyPartition` joined stay joined, and links join
  /// such groups.
  ///
  /// - Parameters:
  ///   - roots: The result of `KeyPartition.roots(of:)`.
  ///   - links: Pairs of keys; keys that are not in `roots` are ignored.
  /// - Complexity: O(keys and links), nearly.
  public static func roots<Key: Hashable & Comparable>(
    _ roots: [Key: Key], links: some Sequence<(Key, Key)>
  ) -> [Key: Key] {
    var above: [Key: Key] = [:]
    func top(_ key: Key) -> Key {
      var key = key
      while let next = above[key] { key = next }
      return key
    }
    for (one, other) in links {
      guard let one = roots[one], let other = roots[other] else { continue }
      let (left, right) = (top(one), top(other))
      if left != right { above[max(left, right)] = min(left, right) }
    }
    return roots.mapValues(top)
  }
}
