/// The index of a part of a name in the array of all its parts.
struct NodeID: Equatable {
  let index: Int32
  static let none = NodeID(index: -1)
  var isNone: Bool { index < 0 }
}

/// Bytes of the mangled name.
struct NodeText {
  let start: Int32
  let count: Int32
}

/// Neighbours in the array of lists.
struct NodeList {
  let start: Int32
  let count: Int32
  static let empty = NodeList(start: 0, count: 0)
  var isEmpty: Bool { count == 0 }
}
