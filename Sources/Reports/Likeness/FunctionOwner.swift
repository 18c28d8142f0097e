/// The owner of a function, by its name: a class, a namespace, or the prefix by which C libraries distinguish
/// their functions.
enum FunctionOwner {
  /// - Returns: The bytes of the owner; `nil` where the name has none, as in `main`.
  /// - Complexity: O(n).
  static func owner(of name: [UInt8]) -> ArraySlice<UInt8>? {
    guard let first = name.first, first != UInt8(ascii: "[") else { return nil }
    // `-[NSView(Extras) drawRect:]`
    if name.count > 2, name[1] == UInt8(ascii: "["),
      first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    {
      let end = name[2...].firstIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "(") }
      return end.map { name[2..<$0] }
    }
    return qualifier(of: name) ?? prefix(of: name)
  }

  /// The text before the last `::` or `.` outside brackets.
  private static func qualifier(of name: [UInt8]) -> ArraySlice<UInt8>? {
    var depth = 0
    for index in name.indices.dropFirst().reversed() {
      switch name[index] {
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "{"): depth -= 1
      case UInt8(ascii: ".") where depth == 0: return name[..<index]
      case UInt8(ascii: ":") where depth == 0 && name[index - 1] == UInt8(ascii: ":"):
        return name[..<(index - 1)]
      default: break
      }
    }
    return nil
  }

  /// `g` of `g_object_unref`; leading underscores belong to it.
  private static func prefix(of name: [UInt8]) -> ArraySlice<UInt8>? {
    guard let start = name.firstIndex(where: { $0 != UInt8(ascii: "_") }),
      let end = name[start...].firstIndex(of: UInt8(ascii: "_")), end > 0
    else { return nil }
    return name[..<end]
  }
}
