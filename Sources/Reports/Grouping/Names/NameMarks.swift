/// Suffixes that linkers, optimisers and tools add to a name.
enum NameMarks {
  /// The name without its marks.
  static func removed(from name: NameBytes) -> NameBytes {
    var name = name
    while let end = cut(name), end < name.count { name.cut(at: end) }
    return fastcall(name)
  }

  /// Where the last mark of `name` begins.
  private static func cut(_ name: NameBytes) -> Int? {
    let last = name.at(name.count - 1)
    if last == UInt8(ascii: "]"), let start = name.findLast(" [") { return start }
    if last == UInt8(ascii: ")"), let start = name.findLast(" (."), start > 0 { return start }
    if let start = offset(name) ?? version(name) ?? rustHash(name) { return start }
    return optimiser(name)
  }

  /// `+0x1f`, ` + 31`.
  private static func offset(_ name: NameBytes) -> Int? {
    var index = name.count
    while index > 0, name[index - 1].isHexDigit { index -= 1 }
    guard index < name.count else { return nil }
    if index > 0, name[index - 1] | 0x20 == UInt8(ascii: "x"), index > 1, name[index - 2] == 0x30 {
      index -= 2
    } else if !name[index...].allSatisfy({ $0.isDigit }) {
      return nil
    }
    while index > 0, name[index - 1] == 0x20 { index -= 1 }
    guard index > 1, name[index - 1] == UInt8(ascii: "+") else { return nil }
    index -= 1
    guard !name.has("operator+", at: index - 8) else { return nil }
    while index > 0, name[index - 1] == 0x20 { index -= 1 }
    return index > 0 ? index : nil
  }

  /// `@@GLIBC_2.14`, `@GLIBC_2.14`, and `@12` of a Windows calling convention.
  private static func version(_ name: NameBytes) -> Int? {
    guard let at = name.lastIndex(of: UInt8(ascii: "@")), at > 0, at < name.count - 1 else {
      return nil
    }
    let start = name[at - 1] == UInt8(ascii: "@") ? at - 1 : at
    let tail = name[(at + 1)...]
    guard start > 0, tail.allSatisfy({ $0.isIdentifier || $0 == UInt8(ascii: ".") }),
      !name[..<start].contains(0x20)
    else { return nil }
    return start < at || tail.allSatisfy { $0.isDigit } || tail.contains(UInt8(ascii: "_"))
      ? start : nil
  }

  /// `::h` and sixteen hexadecimal digits.
  private static func rustHash(_ name: NameBytes) -> Int? {
    let start = name.count - 19
    guard start > 0, name.has("::h", at: start), name[(start + 3)...].allSatisfy({ $0.isHexDigit })
    else { return nil }
    return start
  }

  /// `.isra.0`, `.part.3`, `.cold`, `.llvm.123` and their like, each with any numbers after it.
  private static func optimiser(_ name: NameBytes) -> Int? {
    guard var dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
    while dot + 1 < name.count, name.digitsEnd(dot + 1) == nextDot(name, after: dot) {
      guard let before = name[..<dot].lastIndex(of: UInt8(ascii: ".")), before > 0 else {
        return nil
      }
      dot = before
    }
    let word = name[(dot + 1)..<nextDot(name, after: dot)]
    return isMark(word, of: name, at: dot) ? dot : nil
  }

  private static func nextDot(_ name: NameBytes, after dot: Int) -> Int {
    name[(dot + 1)...].firstIndex(of: UInt8(ascii: ".")) ?? name.count
  }

  /// `@Fast@8` has lost its number already.
  private static func fastcall(_ name: NameBytes) -> NameBytes {
    name.at(0) == UInt8(ascii: "@") && name.at(1).isIdentifier ? name.from(1) : name
  }
}
