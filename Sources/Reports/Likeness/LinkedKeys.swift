/// Which keys share a group when some of them are linked by likeness.
public enum LinkedKeys {
  /// For each key, the one that names its group: what `KeyGroups` puts together stays together, and links
  /// bring such groups together.
  ///
  /// - Parameters:
  ///   - roots: What `KeyGroups.roots(of:)` found.
  ///   - links: Pairs of keys; those that are not in `roots` do not count.
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
