/// Functions that the compiler makes for blocks of C and Objective-C, named after the enclosing function.
enum BlockName {
  private static let mark: StaticString = "{block}"

  static func normalise(_ name: NameBytes) -> NameBytes? {
    let prefix: StaticString = "invocation function for block in "
    if name.has(prefix) {
      let inner = NameNormaliser.normalise(name.from(prefix.utf8CodeUnitCount).text)
      return inner.isEmpty ? nil : marked(inner)
    }
    guard name.at(0) == UInt8(ascii: "_"), let end = name.find("_block_invoke") else { return nil }
    var start = 0
    while name.at(start) == UInt8(ascii: "_") { start += 1 }
    // `__45-[Loader load]_block_invoke`: the number is the length of the name after it.
    let digits = name.digitsEnd(start)
    if digits > start, name.at(digits) == UInt8(ascii: "-") || name.at(digits) == UInt8(ascii: "+")
    {
      start = digits
    } else if name.at(start) == UInt8(ascii: "Z"), start > 0 {
      // `___Z3runi_block_invoke`: a C++ name with its own underscore; without its arguments, as the plain
      // name that a compiler may write has none.
      let inner = NameNormaliser.normalise("_" + name[start..<end].map { $0 }.text)
      return marked(inner)
    } else if name.at(start) == UInt8(ascii: "$") {
      return marked(NameNormaliser.normalise(name[start..<end].map { $0 }.text))
    }
    guard start < end else { return nil }
    return marked(Array(name[start..<end]))
  }

  private static func marked(_ name: NameBytes) -> NameBytes {
    var name = name
    if !name.ends(with: mark) { name.append(mark) }
    return name
  }
}

enum ObjectiveCName {
  /// `-[Class(Category) selector:]`, without what tools put after the bracket.
  static func method(_ name: NameBytes) -> NameBytes {
    guard let end = name.lastIndex(of: UInt8(ascii: "]")) else { return name }
    return Array(name[...end])
  }
}
