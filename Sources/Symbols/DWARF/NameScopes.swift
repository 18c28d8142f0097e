internal import Bytes

/// The namespaces and types of a unit around the functions without a linkage name that were looked up;
/// other entries are skipped where they give their siblings.
struct NameScopes {
  /// A unit, by its file and its offset.
  struct Key: Hashable {
    var file: Int
    var unit: Int
  }

  /// A namespace or type.
  struct Scope {
    var offset: Int
    /// The index of the enclosing one, or ``none``.
    var parent: Int
    /// The index of the prefix of its functions' names, ``none`` for no prefix, once known.
    var prefix: Int?
  }

  /// An entry with children.
  struct Node {
    var offset: Int
    /// Where its children end, exclusive.
    var end: Int
    /// The index of the namespace or type that it is, or that it is in; ``none``, or ``local`` in a
    /// function.
    var scope: Int
    /// The children that have children in turn, in their order.
    var children: [Int] = []
    var isExpanded = false
  }

  static let none = -1
  static let local = -2

  var scopes: [Scope] = []
  /// The root entry first.
  var nodes: [Node]
  var prefixes: [[UInt8]] = []

  init(_ header: UnitHeader) {
    nodes = [Node(offset: header.entries, end: header.end, scope: Self.none)]
  }

  /// The child that `offset` lies in, of an expanded node.
  func child(of node: Int, around offset: Int) -> Int? {
    let children = nodes[node].children
    let low = children.lowerBound { nodes[$0].offset < offset }
    guard low > 0, offset < nodes[children[low - 1]].end else { return nil }
    return children[low - 1]
  }
}
