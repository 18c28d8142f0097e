internal import Bytes

/// The prefixes of a unit's functions without a linkage name: `audio::` for `init`.
struct NameScopes {
  /// A unit, by its file and its offset.
  struct Key: Hashable {
    var file: Int
    var unit: Int
  }

  /// The entry of a function, and the index of the prefix of its name.
  struct Member {
    var offset: Int
    var prefix: Int
  }

  /// In the order of the entries.
  var members: [Member] = []
  var prefixes: [[UInt8]] = []

  /// The prefix of the name of the function whose entry is at `offset`; `nil` for none.
  func prefix(at offset: Int) -> [UInt8]? {
    let low = members.lowerBound { $0.offset < offset }
    guard low < members.count, members[low].offset == offset else { return nil }
    return prefixes[members[low].prefix]
  }
}
